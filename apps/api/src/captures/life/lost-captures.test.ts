import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { capture } from "../../../test/catalog-contract.ts";
import { newId } from "../../kernel/identity.ts";
import type { Blobs } from "../../store/blobs.ts";
import { openLostAndFound } from "../../store/lost-and-found.ts";
import type { OtherServers } from "../../store/other-servers.ts";
import type { Intake } from "../intake/intake.ts";
import { LostCaptures } from "./lost-captures.ts";
import type { Records } from "../records/records.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "aglens-lost-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** Lost files of one of several servers. */
const lostWith = (alone: OtherServers["alone"]): LostCaptures =>
  new LostCaptures(openLostAndFound(directory), {} as Blobs, { others: { alone } } as Records, {} as Intake);

test("files that another server sets aside at the moment are neither taken back in part nor deleted", async () => {
  const id = `gone_${newId()}`;
  await mkdir(join(directory, "lost-and-found", id), { recursive: true });
  await writeFile(join(directory, "lost-and-found", id, "a"), "abc");
  const asked: string[] = [];
  const lost = lostWith((duty) => {
    asked.push(duty);
    return Promise.resolve(false);
  });
  const refused = { problem: { code: "wrong-state" } };
  await expect(lost.takeBack(id, capture("fresh"))).rejects.toMatchObject(refused);
  await expect(lost.remove(id)).rejects.toMatchObject(refused);
  expect(asked).toEqual(["lost files of gone", "lost files of gone"]);
  expect(await readdir(join(directory, "lost-and-found", id))).toEqual(["a"]);
});

test("a folder that goes while all are listed is none of them, and no error", async () => {
  const lost = openLostAndFound(directory);
  const add = async (): Promise<string> => {
    const id = `gone_${newId()}`;
    await mkdir(join(directory, "lost-and-found", id), { recursive: true });
    for (const name of ["a", "b", "c"]) await writeFile(join(directory, "lost-and-found", id, name), "abc");
    return id;
  };
  const stays = await add();
  for (let turn = 0; turn < 100; turn++) {
    const goes = await add();
    const listing = lost.folders();
    // Somewhere between the look at all folders and the look at this one.
    for (let pause = turn % 4; pause > 0; pause--) await new Promise(setImmediate);
    rmSync(join(directory, "lost-and-found", goes), { recursive: true });
    expect((await listing).map(({ id }) => id)).toContain(stays);
  }
});

test("files that are being deleted are not there for anybody else", async () => {
  const id = `gone_${newId()}`;
  await mkdir(join(directory, "lost-and-found", id), { recursive: true });
  const lost = lostWith(async (_, work) => {
    await work();
    return true;
  });
  const ends = await Promise.allSettled([lost.remove(id), lost.remove(id)]);
  // Which of the two has listed the folders first is chance.
  const refused = ends.filter((end) => end.status === "rejected");
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatchObject({ reason: { problem: { code: "capture-not-found" } } });
});
