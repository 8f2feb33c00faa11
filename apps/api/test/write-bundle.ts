/** Bundles the threads before the suite, and anew before each run of a suite that watches. */
import type { TestProject } from "vitest/node";
import { join } from "node:path";
import { writeBundle, writeTestScripts } from "../bundle.ts";

export default async function setup(project: TestProject): Promise<void> {
  await write();
  project.onTestsRerun(write);
}

async function write(): Promise<void> {
  await writeBundle();
  await writeTestScripts(
    ["keep-and-die", "analyse-and-die"].map((name) => join(import.meta.dirname, `${name}.ts`)),
  );
}
