import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { Capture, NAMES_FILE, Summary } from "@aglens/contract";
import { expect, onTestFinished, test } from "vitest";
import { as, TOKENS, tokenAccess } from "../../../test/access.ts";
import { ROOT, testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";

const FIXTURES = join(ROOT, "fixtures/captures");
/** The ids of the committed captures. */
const PRIMARY = "f3400915-bb03-42a0-8c5e-26d35506a893";
const SECONDARY = "20944245-5a76-41ac-8cc7-985ab3b4e068";

const topologyText = (primary: string, secondary: string): string =>
  `<AGInfoRoot><row replica_id="${PRIMARY}" replica_server_name="${primary}"/><row replica_id="${SECONDARY}" replica_server_name="${secondary}"/></AGInfoRoot>`;

async function opened(changes: Parameters<typeof testService>[0] = {}): Promise<TestService> {
  const service = await testService(changes);
  onTestFinished(() => service.end());
  return service;
}

/** Requests of one person, or without a person where users don't sign in. */
function requests(service: TestService, token?: string) {
  const send = (method: "get" | "post" | "patch" | "delete", path: string) => {
    const sent = request(service.app)[method](`/api/v1${path}`);
    return token === undefined ? sent : sent.set("authorization", `Bearer ${token}`);
  };
  const upload = async (id: string, name: string, bytes: Buffer): Promise<string> => {
    const answer = await send("post", `/captures/${id}/files`)
      .query({ name })
      .type("application/octet-stream")
      .send(bytes)
      .expect(201);
    return answer.body.files[0].id;
  };
  const read = async (id: string): Promise<Capture> =>
    Capture.parse((await send("get", `/captures/${id}`).expect(200)).body);
  return {
    send,
    upload,
    read,
    make: async (): Promise<string> => (await send("post", "/captures").send({}).expect(201)).body.id,
    uploadTopology: async (id: string) =>
      upload(id, "topology.xml", await readFile(join(FIXTURES, "slow-network/topology.xml"))),
    uploadEvents: async (id: string) => {
      for (const folder of ["primary", "secondary"])
        for (const name of await readdir(join(FIXTURES, "damaged", folder)))
          await upload(id, name, await readFile(join(FIXTURES, "damaged", folder, name)));
    },
    servers: async (id: string) =>
      (await read(id)).groups.flatMap(({ servers }) => servers.map(({ name, nameFrom }) => [name, nameFrom])),
    analyzed: async (id: string): Promise<Summary> => {
      await send("post", `/captures/${id}/analysis`).expect(202);
      await send("get", `/captures/${id}/progress`);
      return Summary.parse((await send("get", `/captures/${id}/summary`).expect(200)).body);
    },
  };
}

const BY_ROLE = [
  ["Primary", "role"],
  ["Secondary", "role"],
];
const REMEMBERED = [
  ["SQL1", "remembered"],
  ["SQL2", "remembered"],
];

test("a capture without a topology has the names of another one, also in its tables", async () => {
  const { make, uploadTopology, uploadEvents, servers, read, analyzed } = requests(await opened());
  const early = await make();
  await uploadEvents(early);
  expect(await servers(early)).toEqual(BY_ROLE);
  await uploadTopology(await make());

  const later = await make();
  await uploadEvents(later);
  expect(await servers(later)).toEqual(REMEMBERED);
  const { name, groups } = await read(later);
  expect(name).toMatch(/^TestAG · /u);
  expect(groups[0]).toMatchObject({ group: "TestAG", databases: expect.arrayContaining(["Sales"]) });
  const summary = await analyzed(later);
  expect(summary.replicas.map((replica) => replica.name)).toEqual(["SQL1", "SQL2"]);
  expect(summary.databases.map((database) => database.name)).toContain("Sales");

  // A capture whose files arrived earlier has the names once it is analyzed.
  expect(await servers(early)).toEqual(BY_ROLE);
  const { replicas } = await analyzed(early);
  expect(replicas.map((replica) => replica.name)).toEqual(["SQL1", "SQL2"]);
});

test("names are remembered by the next process, and a capture's own topology outweighs them", async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "aglens-names-"));
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }));
  const before = await testService({ dataDirectory });
  const first = requests(before);
  await first.uploadTopology(await first.make());
  await before.end();

  const { make, upload, uploadEvents, servers } = requests(await opened({ dataDirectory }));
  const id = await make();
  await uploadEvents(id);
  expect(await servers(id)).toEqual(REMEMBERED);
  await upload(id, "own.xml", Buffer.from(topologyText("PROD1", "PROD2")));
  expect(await servers(id)).toEqual([
    ["PROD1", "topology"],
    ["PROD2", "topology"],
  ]);
});

test("a name that a user gave outweighs those of topologies until it is taken back", async () => {
  const { make, upload, uploadTopology, uploadEvents, send, servers } = requests(await opened());
  const named = await make();
  await uploadEvents(named);
  // The unnamed server has a name that AG Lens made: other captures don't get that name.
  const file = await upload(named, NAMES_FILE, Buffer.from(topologyText("Primary", "NODE2")));
  await uploadTopology(await make());

  const other = await make();
  await uploadEvents(other);
  expect(await servers(other)).toEqual(
    [
      ["NODE2", "remembered"],
      ["SQL1", "remembered"],
    ].toReversed(),
  );

  // Names that are entered again are in a new file, which arrives before the earlier one is removed.
  const again = await upload(named, NAMES_FILE, Buffer.from(topologyText("Primary", "NODE2")));
  await send("delete", `/captures/${named}/files/${file}`).expect(204);
  const third = await make();
  await uploadEvents(third);
  expect(await servers(third)).toContainEqual(["NODE2", "remembered"]);

  await send("delete", `/captures/${named}/files/${again}`).expect(204);
  expect(await servers(named)).toEqual(REMEMBERED);
  const fourth = await make();
  await uploadEvents(fourth);
  expect(await servers(fourth)).toEqual(REMEMBERED);
});

test("names of a private capture reach nobody else; those of a shared one are everybody's", async () => {
  const service = await opened(await tokenAccess());
  const [ann, bob] = [requests(service, TOKENS.ann), requests(service, TOKENS.bob)];
  const secret = await ann.make();
  await ann.uploadTopology(secret);
  const own = await ann.make();
  await ann.uploadEvents(own);
  expect(await ann.servers(own)).toEqual(REMEMBERED);
  const foreign = await bob.make();
  await bob.uploadEvents(foreign);
  expect(await bob.servers(foreign)).toEqual(BY_ROLE);

  await as(service, TOKENS.ann).patch(`/captures/${secret}`).send({ shared: true }).expect(200);
  const later = await bob.make();
  await bob.uploadEvents(later);
  expect(await bob.servers(later)).toEqual(REMEMBERED);
});

test("a saved capture has its remembered names where nobody knows them, and none where names are replaced", async () => {
  const here = requests(await opened());
  await here.uploadTopology(await here.make());
  const id = await here.make();
  await here.uploadEvents(id);
  await here.analyzed(id);
  const saved = async (query: object): Promise<Buffer> => {
    const answer = await here
      .send("get", `/captures/${id}/aglens-file`)
      .query(query)
      .responseType("blob")
      .expect(200);
    return answer.body as Buffer;
  };
  const there = requests(await opened());
  const open = async (bytes: Buffer): Promise<Capture> => {
    const answer = await there
      .send("post", "/captures/aglens-file")
      .type("application/octet-stream")
      .send(bytes)
      .expect(201);
    return Capture.parse(answer.body);
  };
  const hidden = await open(await saved({ names: "replaced" }));
  expect(JSON.stringify(hidden)).not.toMatch(/SQL1|TestAG|Sales/u);
  const whole = await open(await saved({ files: "true" }));
  expect(whole.groups.flatMap(({ servers }) => servers.map(({ name }) => name))).toEqual(["SQL1", "SQL2"]);
});
