import { writeFile } from "node:fs/promises";
import { createXelWriter } from "xel-parser/writer";

/** Writes a .xel file, for tests and for sharing a part of a capture. */
export async function writeSample(path: string): Promise<void> {
  const columns = [
    { name: "duration", type: "uint64" },
    { name: "statement", type: "unicode_string" },
  ] as const;
  const writer = createXelWriter(
    { packages: [{ name: "sqlserver", id: 2, events: [{ name: "sql_batch_completed", columns }] }] },
    { startTicks: 131_069_746_150_000_000n },
  );
  writer.write("sql_batch_completed", 0, { duration: 56, statement: "select 1" });
  await writeFile(path, writer.finish());
}
