import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipArchive } from "archiver";
import type { FileFormat, RowTexts } from "../output/row-texts.ts";
import { sheetOf } from "./sheet.ts";

/** Level 6, the default, makes files a tenth smaller and takes twice as long. */
const LEVEL = 4;

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const SHEET = "xl/worksheets/sheet1.xml";

/** What every workbook of one sheet has besides it (ECMA-376). The styles are those of `sheet.ts`. */
const parts: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${OFFICE}.sheet.main+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${OFFICE}.styles+xml"/>
<Override PartName="/${SHEET}" ContentType="${OFFICE}.worksheet+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships">
<Relationship Id="rId1" Type="${RELATED}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships">
<Relationship Id="rId1" Type="${RELATED}/worksheet" Target="worksheets/sheet1.xml"/>
<Relationship Id="rId2" Type="${RELATED}/styles" Target="styles.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${RELATED}"><sheets><sheet name="rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/styles.xml": `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="3"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
};

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/**
 * Writes rows as an Excel workbook of one sheet, in bounded memory.
 * @param rows JSON texts, a batch at a time
 * @param folder working folder; it should be empty
 * @param options `columns` in their order, else those of the first batch; `signal` ends it
 * @returns the file's path, inside the folder
 * @throws CensusError "bad-input" for more rows, columns or characters than Excel reads
 */
export async function writeXlsx(rows: RowTexts, folder: string, { columns, signal }: FileFormat = {}): Promise<string> {
  const path = join(folder, "rows.xlsx");
  const archive = new ZipArchive({ zlib: { level: LEVEL } });
  const sheet = Readable.from(sheetOf(rows, columns, `${DECLARATION}<worksheet xmlns="${MAIN}">`));
  // archiver reports some errors again after the pipeline has ended, when there is no other listener.
  archive.on("error", () => undefined);
  sheet.on("error", (error) => archive.destroy(error));
  for (const [name, text] of Object.entries(parts)) archive.append(DECLARATION + text, { name });
  archive.append(sheet, { name: SHEET });
  const written = pipeline(archive, createWriteStream(path, { mode: 0o600 }), { signal });
  // Its promise never settles when the archive fails; the pipeline reports the result in any case.
  archive.finalize().catch(() => undefined);
  await written;
  return path;
}
