"""The lines of Sizing that put the answer of a design into words: what to enter first, else the count."""

from model.layout.line import Group, Headline, Line

ROWS = (
    Group("Answer"),
    Line(
        "status_slower",
        "Slower storms, in words",
        "text",
        '=REPT("; "&{slower_storms},SIGN({slower_start_rate}+MAX(0,{arrays_required}-{arrays_at_work})))',
        "Empty where no storm limits",
    ),
    Line(
        "status_limits",
        "Limit and age, in words",
        "text",
        '=REPT("; latency limit below S",{latency_limit_below})&REPT("; profile "&TEXT({profile_age_years},"0")'
        '&" years old",{profile_too_old})',
        "Empty within the latency limit and five years",
        text_lines=1,
    ),
    Line(
        "status_count",
        "Count and fit, in words",
        "text",
        '=IF({fits}>0,REPT("at least ",SIGN({unchecked_count})),"does not fit: needs ")&{arrays_text}',
        "At least, where something is unchecked",
        text_lines=3,
    ),
    Line(
        "entered",
        "The array has figures",
        "flag",
        "=SIGN(MAX(0,{supply_boot},{supply_login},{supply_steady},{usable_gib}))",
        "0 = a card nobody has filled",
    ),
    Line(
        "nothing_sizes",
        "Nothing tells how many arrays",
        "flag",
        "=1-SIGN(MAX(0,{entered},{ratio_largest}))",
        "1 = the array has no figures, and no constraint needs none of them",
        output=True,
    ),
    Line(
        "card_todo",
        "What to do with the card",
        "text",
        '=REPT("mend",{array_faulty})&REPT("fill",(1-{array_faulty})*{nothing_sizes})',
        "Empty where the array has figures that can be read",
        text_lines=1,
    ),
    Line(
        "card_refused",
        "What is wrong with the card",
        "text",
        '=REPT("no answer: "&{card_todo}&" the card of this array on My arrays",SIGN(LEN({card_todo})))',
        "Empty where nothing is",
        text_lines=3,
    ),
    Line(
        "array_refused",
        "Why the array gives no answer",
        "text",
        "=IF(LEN({card_refused})>0,{card_refused},"
        'REPT("does not fit: lower free space or snapshot reserve",1-SIGN({fillable_ratio})))',
        "Empty where it does",
        text_lines=3,
    ),
    Line(
        "status_sized",
        "Answer, where everything needed is entered",
        "text",
        "=IF(LEN({array_refused})>0,{array_refused},{status_count}&{status_evidence}&{status_limits}&{status_slower})",
        "Count, what is missing, how far the evidence reaches and how old the profile is",
        text_lines=6,
    ),
    Line(
        "status",
        "Answer",
        "text",
        "=IF(LEN({missing_words})>0,{missing_words},{status_sized})",
        "What to enter first, else the count with what it rests on",
        output=True,
        text_lines=6,
        headline=Headline(1, "Answer for the base design"),
    ),
)
