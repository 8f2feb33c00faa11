import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";

let service: TestService;
let id: string;
beforeEach(async () => {
  service = await testService();
  ({ id } = await service.captures.create("Night"));
});
afterEach(() => service.end());

const idsOf = async () => (await service.captures.get(id)).files.map((file) => file.id);

/** A file of the data directory. */
async function written(name: string): Promise<string> {
  const path = join(service.config.dataDirectory, name);
  await writeFile(path, "abc");
  return path;
}

test("a file of a live run is taken over once, however often that is begun", async () => {
  const adopt = async (fileId: string, path: string) =>
    service.captures.files.adopt(id, { fileId, name: "a.xel", path, given: {} });
  const path = await written("0_0.xel");
  await adopt("f1", path);
  await adopt("f1", path);
  await adopt("f2", await written("0_1.xel"));
  expect(await idsOf()).toEqual(["f1", "f2"]);
});

test("an upload that another server has taken in too is one file", async () => {
  const path = await written("upload");
  const takeIn = () => service.captures.files.takeIn(id, "u1", "a.xel", path);
  await takeIn();
  expect((await takeIn()).map((file) => file.id)).toEqual(["u1"]);
  expect(await idsOf()).toEqual(["u1"]);
});
