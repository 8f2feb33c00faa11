import { expect, test } from "vitest";
import { Capture, NAMES_FILE, Summary } from "@aglens/contract";
import { add, analysed, committed, create, ended, localPage, storeHere } from "../../test/local-page.ts";
import type { PageInput, Page } from "../../test/local-page.ts";

/** Without their folders, which would name the servers. */
const events = (): PageInput[] =>
  committed("damaged")
    .filter(({ path }) => path.endsWith(".xel"))
    .map(({ path, bytes }) => ({ path: path.replace(/^.*\//u, ""), bytes }));
/** Topology of the servers and databases that these events are from. */
const topology = (): PageInput[] => committed("slow-network").filter(({ path }) => path.endsWith(".xml"));

const read = async ({ json }: Page, id: string): Promise<Capture> =>
  Capture.parse((await json("GET", `/captures/${id}`)).value);
const servers = async (page: Page, id: string) =>
  (await read(page, id)).groups.flatMap((group) =>
    group.servers.map(({ name, nameFrom }) => [name, nameFrom]),
  );

async function dropped(page: Page, files: readonly PageInput[]): Promise<string> {
  const id = await create(page);
  for (const file of files) await add(page, id, file);
  return id;
}

/** Names as the Names dialog sends them. */
const given = (topologyXml: string): PageInput => ({
  path: NAMES_FILE,
  bytes: new Uint8Array(new TextEncoder().encode(topologyXml)),
});

const BY_ROLE = [
  ["Primary", "role"],
  ["Secondary", "role"],
];
const REMEMBERED = [
  ["SQL1", "remembered"],
  ["SQL2", "remembered"],
];

test("a capture has the names of one that the browser kept on an earlier page", async () => {
  const store = storeHere();
  const early = localPage(store);
  expect(await servers(early, await dropped(early, events()))).toEqual(BY_ROLE);
  await analysed(early, [
    ...committed("slow-network").filter(({ path }) => path.endsWith(".xel")),
    ...topology(),
  ]);

  const later = localPage(store);
  const id = await dropped(later, events());
  expect(await servers(later, id)).toEqual(REMEMBERED);
  const { name, groups } = await read(later, id);
  expect(name).toMatch(/^TestAG · /u);
  expect(groups[0]?.databases).toContain("Sales");
  await later.json("POST", `/captures/${id}/analysis`);
  await ended(later, id);
  const summary = Summary.parse((await later.json("GET", `/captures/${id}/summary`)).value);
  expect(summary.replicas.map((replica) => replica.name)).toEqual(["SQL1", "SQL2"]);
  expect(summary.databases.map((database) => database.name)).toContain("Sales");
});

test("names reach the other captures of a page, those that wait for their analysis when it begins", async () => {
  const page = localPage();
  const waiting = await dropped(page, events());
  const named = await dropped(page, topology());
  expect(await servers(page, waiting)).toEqual(BY_ROLE);
  await page.json("POST", `/captures/${waiting}/analysis`);
  await ended(page, waiting);
  expect(await servers(page, waiting)).toEqual(REMEMBERED);
  // The names of a deleted capture are not used for later ones.
  await page.json("DELETE", `/captures/${named}`);
  expect(await servers(page, await dropped(page, events()))).toEqual(BY_ROLE);
});

test("a name that a user entered outweighs one from a topology until it is removed", async () => {
  const store = storeHere();
  const page = localPage(store);
  const named = await analysed(page, [...events(), ...topology()]);
  const ids = (await read(page, named)).groups.flatMap((group) =>
    group.servers.map((server) => server.ids[0]),
  );
  const xml = `<AGInfoRoot><row replica_id="${ids[1]}" replica_server_name="NODE2"/></AGInfoRoot>`;
  const [file] = await add(page, named, given(xml));
  await page.json("POST", `/captures/${named}/analysis`);
  await ended(page, named);
  const other = await dropped(page, events());
  expect(await servers(page, other)).toEqual([
    ["SQL1", "remembered"],
    ["NODE2", "remembered"],
  ]);

  await page.json("DELETE", `/captures/${named}/files/${file?.id}`);
  expect(await servers(page, await dropped(page, events()))).toEqual(REMEMBERED);
});
