// java -cp "JARS/*" Poi.java BOOK.xlsx: Apache POI's value of every formula cell, a line of JSON each: sheet, cell, value.
import java.io.FileInputStream;
import org.apache.poi.ss.usermodel.*;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;

class Poi {
    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    static String value(FormulaEvaluator evaluator, Cell cell) {
        try {
            CellValue found = evaluator.evaluate(cell);
            return switch (found.getCellType()) {
                case NUMERIC -> Double.toString(found.getNumberValue());
                case BOOLEAN -> Boolean.toString(found.getBooleanValue());
                case STRING -> quoted(found.getStringValue());
                case ERROR -> quoted(FormulaError.forInt(found.getErrorValue()).getString());
                default -> "null";
            };
        } catch (RuntimeException refused) {
            return quoted("#REFUSED " + cause(refused));
        }
    }

    static String cause(Throwable refused) {
        return refused.getCause() == null ? String.valueOf(refused.getMessage()) : cause(refused.getCause());
    }

    public static void main(String[] arguments) throws Exception {
        try (Workbook book = new XSSFWorkbook(new FileInputStream(arguments[0]))) {
            FormulaEvaluator evaluator = book.getCreationHelper().createFormulaEvaluator();
            for (Sheet sheet : book)
                for (Row row : sheet)
                    for (Cell cell : row)
                        if (cell.getCellType() == CellType.FORMULA)
                            System.out.printf("[%s,%s,%s]%n", quoted(sheet.getSheetName()),
                                quoted(cell.getAddress().formatAsString()), value(evaluator, cell));
        }
    }
}
