' The buttons of VDI Sizing in Calc: open a pipe into this office, write down what is asked for, and let the user's
' Python start it. Python returns at once; the command then works on the document through the pipe.

Option Explicit

Const TITLE = "VDI Sizing"
Const EXTENSION = "vdi-storage-sizing.calc"

Global oAcceptor As Object ' keeps the pipe open while the office runs
Global sOpenPipe As String

Sub StartCommand(sCommand As String)
    Dim sPython As String, sProblem As String
    sPython = InterpreterPath()
    If sPython = "" Then
        sProblem = "This extension does not know yet where Python is." & Chr(10) & Chr(10) & SetUp()
    ElseIf Not FileExists(sPython) Then
        sProblem = "Python is no longer at " & sPython & "." & Chr(10) & Chr(10) & SetUp()
    Else
        sProblem = Asked(sPython, sCommand)
    End If
    If sProblem <> "" Then
        MsgBox(sProblem, 48, TITLE)
    End If
End Sub

Sub OpenForTheShell
    ' So that a terminal reaches this office before any button was pressed
    If OpenPipe() <> "" Then
        MsgBox("A terminal can now run the commands on this document, for example" & Chr(10) & _
            "    python -m addin simulate --sheet --engine libreoffice --pipe " & sOpenPipe, 64, TITLE)
    End If
End Sub

Function Asked(sPython As String, sCommand As String) As String
    ' Run start.py and return what it could not do, in words; the request goes through a file because names of documents
    ' may hold any character
    Dim oFile As Object, oAccess As Object, sScript As String, sPipe As String
    On Error Goto NotStarted
    sPipe = OpenPipe()
    oAccess = createUnoService("com.sun.star.ucb.SimpleFileAccess")
    oFile = createUnoService("com.sun.star.io.TempFile")
    WriteText(oAccess, oFile.Uri, sCommand & Chr(10) & sPipe & Chr(10) & Selected() & Chr(10) & DocumentName())
    sScript = ConvertFromURL(GetDefaultContext().getByName( _
        "/singletons/com.sun.star.deployment.PackageInformationProvider").getPackageLocation(EXTENSION) & "/start.py")
    Shell(sPython, 0, """" & sScript & """ """ & ConvertFromURL(oFile.Uri) & """", True)
    Asked = ReadText(oAccess, oFile.Uri)
    Exit Function
NotStarted:
    Asked = sPython & " could not be started: " & Error & Chr(10) & Chr(10) & SetUp()
End Function

Function OpenPipe() As String
    ' Open the pipe that Python connects to, under the user's name; with a number when another office has it
    Dim i As Integer, sName As String
    If Not IsNull(oAcceptor) Then
        OpenPipe = sOpenPipe
        Exit Function
    End If
    On Error Resume Next
    For i = 1 To 9
        sName = PipeName()
        If i > 1 Then
            sName = sName & "-" & i
        End If
        Err = 0
        oAcceptor = createUnoService("com.sun.star.office.Acceptor")
        oAcceptor.initialize(Array("pipe,name=" & sName & ";urp;StarOffice.ComponentContext", True))
        If Err = 0 Then
            sOpenPipe = sName
            OpenPipe = sName
            Exit Function
        End If
        oAcceptor = Nothing
    Next i
End Function

Function PipeName() As String
    Dim sUser As String, sLetter As String, i As Integer
    sUser = Environ("USER")
    If sUser = "" Then
        sUser = Environ("USERNAME")
    End If
    If sUser = "" Then
        sUser = "user"
    End If
    PipeName = "vdi-sizing-"
    For i = 1 To Len(sUser)
        sLetter = Mid(sUser, i, 1)
        If InStr(1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", sLetter, 0) = 0 Then
            sLetter = "-"
        End If
        PipeName = PipeName & sLetter
    Next i
End Function

Function DocumentName() As String
    If ThisComponent.URL = "" Then
        DocumentName = ThisComponent.Title
    Else
        DocumentName = ConvertFromURL(ThisComponent.URL)
    End If
End Function

Function Selected() As String
    ' Row, column and sheet of the first cell that is selected at the click, "" where something else is
    Dim oSelected As Object
    oSelected = ThisComponent.CurrentSelection
    If IsNull(oSelected) Then
        Exit Function
    End If
    If HasUnoInterfaces(oSelected, "com.sun.star.sheet.XCellRangeAddressable") Then
        Selected = (oSelected.RangeAddress.StartRow + 1) & "," & (oSelected.RangeAddress.StartColumn + 1) & "," & _
            oSelected.Spreadsheet.Name
    End If
End Function

Function InterpreterPath() As String
    ' The path behind python= in the file that the installation left in the user's folder
    Dim oAccess As Object, sLines() As String, sFile As String, sHome As String, i As Integer
    sHome = Environ("HOME")
    If sHome = "" Or GetGUIType() = 1 Then
        sHome = Environ("USERPROFILE")
    End If
    sFile = ConvertToURL(sHome & "/.vdi-sizing/calc.conf")
    oAccess = createUnoService("com.sun.star.ucb.SimpleFileAccess")
    If oAccess.exists(sFile) Then
        sLines = Split(ReadText(oAccess, sFile), Chr(10))
        For i = 0 To UBound(sLines)
            If Left(sLines(i), 7) = "python=" Then
                InterpreterPath = Mid(sLines(i), 8)
            End If
        Next i
    End If
End Function

Sub WriteText(oAccess As Object, sFile As String, sText As String)
    Dim oStream As Object, oOut As Object
    oStream = oAccess.openFileReadWrite(sFile)
    oOut = createUnoService("com.sun.star.io.TextOutputStream")
    oOut.setOutputStream(oStream.getOutputStream())
    oOut.setEncoding("UTF-8")
    oOut.writeString(sText)
    oOut.closeOutput()
End Sub

Function ReadText(oAccess As Object, sFile As String) As String
    Dim oIn As Object
    oIn = createUnoService("com.sun.star.io.TextInputStream")
    oIn.setInputStream(oAccess.openFileRead(sFile))
    oIn.setEncoding("UTF-8")
    Do While Not oIn.isEOF()
        ReadText = ReadText & oIn.readLine() & Chr(10)
    Loop
    oIn.closeInput()
    Do While Right(ReadText, 1) = Chr(10)
        ReadText = Left(ReadText, Len(ReadText) - 1)
    Loop
End Function

Function SetUp() As String
    SetUp = "Open a terminal in the folder of VDI Storage Sizing and run" & Chr(10) & _
        "    python -m pip install -r requirements.lock" & Chr(10) & _
        "    python -m addin install --calc" & Chr(10) & _
        "Python 3.11 or newer is needed; 'python -m addin doctor' says what is missing."
End Function
