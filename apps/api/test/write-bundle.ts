/** Bundles the threads before the tests, and again before each run in watch mode. */
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
