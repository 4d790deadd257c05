Attribute VB_Name = "RibbonVdiSizing"
Option Explicit

' The buttons of the ribbon tab VDI Sizing: hand the command that the button's tag names to Python, or say what is missing.
' Python starts the command in a process of its own and returns at once, so Excel stays usable while it runs.

Private Const TITLE As String = "VDI Sizing"

Public Sub StartCommand(control As IRibbonControl)
    On Error GoTo Refused
    CallPython "start('" & control.Tag & "','" & Selected() & "')"
    Exit Sub
Refused:
    MsgBox NotStarted(Err.Description) & " run" & vbNewLine & vbNewLine & "    " & Typed(control.Tag), vbExclamation, TITLE
End Sub

Public Sub CancelCommand(control As IRibbonControl)
    On Error GoTo Refused
    CallPython "cancel()"
    Exit Sub
Refused:
    MsgBox NotStarted(Err.Description) & " press Ctrl+C where the command runs.", vbExclamation, TITLE
End Sub

Private Function NotStarted(Reason As String) As String
    ' Some organisations do not let Office start a program: the same command works from a terminal on the open workbook
    NotStarted = "Excel could not start Python: " & Reason & vbNewLine & vbNewLine & _
        "A policy of your organisation may keep Office from starting programs; nothing was changed. " & _
        "Leave the workbook open, and in a terminal in the folder of VDI Storage Sizing"
End Function

Private Function Typed(Command As String) As String
    Typed = "python -m addin " & Command
    If Command = "diff" Then
        Typed = Typed & " OLD.xlsx"
    End If
    If Command = "measure" Then
        Typed = Typed & " FILE --hours 08:00-18:00"
    End If
    If Command <> "handoff" Then
        Typed = Typed & " --sheet"
    End If
    Typed = Typed & " --engine excel"
End Function

Private Sub CallPython(PythonCall As String)
    Dim Problem As String
    If ActiveWorkbook Is Nothing Then
        Problem = "No workbook is open. Open the sizing workbook and press the button again."
        #If Not Mac Then
            If Application.ProtectedViewWindows.Count > 0 Then
                Problem = "The workbook is in Protected View. Choose Enable Editing, and press the button again."
            End If
        #End If
    Else
        Problem = PathProblem(ActiveWorkbook.FullName)
    End If
    If Problem = "" Then
        Problem = InterpreterProblem()
    End If
    If Problem = "" Then
        RunPython "import addin.hosts.ribbon.caller;addin.hosts.ribbon.caller." & PythonCall
    Else
        MsgBox Problem, vbExclamation, TITLE
    End If
End Sub

Public Function Selected() As String
    ' Row, column and sheet of the cell that is selected at the click, "" where something else is; each letter as four
    ' hexadecimal digits, so that no shell between here and Python changes any
    Dim Place As String
    Dim i As Integer
    If TypeName(Selection) = "Range" Then
        Place = ActiveCell.Row & "," & ActiveCell.Column & "," & ActiveSheet.Name
    End If
    For i = 1 To Len(Place)
        Selected = Selected & Right$("000" & Hex$(AscW(Mid$(Place, i, 1))), 4)
    Next i
End Function

Public Function PathProblem(FullName As String) As String
    ' The path goes through a shell: say which character would not arrive there unchanged, "" when all do
    Dim Unsafe As String
    Dim i As Integer
    Unsafe = ";"
    #If Mac Then
        Unsafe = Unsafe & "|$`\" & Chr(34)
    #Else
        If ExpandEnvironmentStrings(FullName) <> FullName Then
            Unsafe = Unsafe & "%"
        End If
    #End If
    For i = 1 To Len(Unsafe)
        If InStr(FullName, Mid$(Unsafe, i, 1)) > 0 Then
            PathProblem = "The name of this workbook or of its folder holds the character " & Mid$(Unsafe, i, 1) & _
                ", which does not reach Python. Save a copy under another name, or in another folder, and press the button again."
            Exit Function
        End If
    Next i
End Function

Private Function InterpreterProblem() As String
    ' The full path of Python is set by the installation; a bare name would make the current folder an import path
    Dim Interpreter As String
    #If Mac Then
        Interpreter = GetConfig("INTERPRETER_MAC", "")
    #Else
        Interpreter = GetConfig("INTERPRETER_WIN", "")
    #End If
    If InStr(Interpreter, "/") + InStr(Interpreter, "\") = 0 Then
        InterpreterProblem = "This add-in does not know yet where Python is." & vbNewLine & vbNewLine & SetUp()
        Exit Function
    End If
    #If Not Mac Then
        If Not FileExists(Interpreter) Then
            InterpreterProblem = "Python is no longer at " & Interpreter & "." & vbNewLine & vbNewLine & SetUp()
        End If
    #End If
End Function

Public Function InWords(Message As String) As String
    ' What a missing package or a missing Python leaves on stderr, as a sentence; anything else as it is
    If InStr(Message, "No module named") > 0 Then
        InWords = "Python was found, but VDI Storage Sizing or a package that it needs is not installed in it." & _
            vbNewLine & vbNewLine & SetUp() & vbNewLine & vbNewLine & Message
    ElseIf InStr(Message, "No such file or directory") > 0 Or InStr(Message, "command not found") > 0 Then
        InWords = "Python was not found where the installation left it." & _
            vbNewLine & vbNewLine & SetUp() & vbNewLine & vbNewLine & Message
    Else
        InWords = Message
    End If
End Function

Private Function SetUp() As String
    SetUp = "Open a terminal in the folder of VDI Storage Sizing and run" & vbNewLine & _
        "    python -m pip install -r requirements.lock" & vbNewLine & _
        "    python -m addin install" & vbNewLine & _
        "Python 3.11 or newer is needed; 'python -m addin doctor' says what is missing."
End Function
