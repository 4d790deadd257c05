import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.poi.schemas.ooxml.system.ooxml.TypeSystemHolder;
import org.apache.xmlbeans.SchemaTypeLoader;
import org.apache.xmlbeans.XmlBeans;
import org.apache.xmlbeans.XmlError;
import org.apache.xmlbeans.XmlObject;
import org.apache.xmlbeans.XmlOptions;

/**
 * Holds every XML part of workbooks against the schemas of ECMA-376, which POI ships compiled.
 *
 * <p>Prints a line for each part, separated by tabs: file, part, "valid", "invalid" or "no schema", and the first error.
 */
public class Validate {
    // Legal, and in every file that Excel saves: mc:Ignorable stands in the standard's part 3, xml:space of a text in the
    // standard for XML, and these schemas leave both out.
    private static final List<String> LEGAL = List.of(
            "Ignorable@http://schemas.openxmlformats.org/markup-compatibility/2006",
            "space@http://www.w3.org/XML/1998/namespace in element t@");
    private static final SchemaTypeLoader SCHEMAS = XmlBeans.typeLoaderUnion(
            new SchemaTypeLoader[] {TypeSystemHolder.typeSystem, XmlBeans.getBuiltinTypeSystem()});

    public static void main(String[] files) throws Exception {
        for (String file : files) {
            try (ZipFile zip = new ZipFile(file)) {
                for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
                    if (entry.getName().endsWith(".xml") || entry.getName().endsWith(".vml")) {
                        XmlObject part = SCHEMAS.parse(zip.getInputStream(entry), null, new XmlOptions());
                        System.out.println(file + "\t" + entry.getName() + "\t" + judged(part));
                    }
                }
            }
        }
    }

    private static String judged(XmlObject part) {
        if (part.schemaType().isNoType()) {
            return "no schema\t";
        }
        List<XmlError> errors = new ArrayList<>();
        XmlOptions options = new XmlOptions();
        options.setErrorListener(errors);
        part.validate(options);
        errors.removeIf(error -> LEGAL.stream().anyMatch(error.getMessage()::contains));
        return errors.isEmpty() ? "valid\t" : "invalid\t" + errors.get(0).getMessage().replaceAll("\\s+", " ");
    }
}
