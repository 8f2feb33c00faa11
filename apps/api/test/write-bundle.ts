/** Bundles the threads before the suite, and anew before each run of a suite that watches. */
import type { TestProject } from "vitest/node";
import { writeBundle } from "../bundle.ts";

export default async function setup(project: TestProject): Promise<void> {
  await writeBundle();
  project.onTestsRerun(writeBundle);
}
