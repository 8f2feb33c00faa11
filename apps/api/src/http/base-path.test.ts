import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TOKENS, tokenAccess } from "../../test/access.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import { basePathOf } from "./base-path.ts";

const PAGE =
  '<!doctype html><head><link rel="icon" href="./assets/logo.svg"><script type="module" src="./assets/main.js"></script></head>';

let web: string;
let service: TestService;
beforeEach(async () => {
  web = await mkdtemp(join(tmpdir(), "aglens-base-"));
  await mkdir(join(web, "assets"));
  await writeFile(join(web, "index.html"), PAGE);
  await writeFile(join(web, "assets/main.js"), "1");
});
afterEach(async () => {
  await service.end();
  await rm(web, { recursive: true });
});

const open = async (publicUrl: string | null): Promise<void> => {
  service = await testService({ webDirectory: web, publicUrl, ...(await tokenAccess()) }, stubAnalyzer());
};
const get = (path: string) => request(service.app).get(path).set("authorization", `Bearer ${TOKENS.ann}`);
/** Cookie that a browser stores at sign-in. */
async function signIn(path: string): Promise<string> {
  const { headers } = await request(service.app)
    .post(path)
    .set({ host: "localhost", origin: "http://localhost" })
    .send({ token: TOKENS.ann })
    .expect(200);
  return (headers["set-cookie"] as unknown as readonly string[])[0] ?? "";
}

test.each([
  [null, ""],
  ["https://lens.example", ""],
  ["https://host.example/aglens", "/aglens"],
  ["https://host.example/tools/aglens", "/tools/aglens"],
])("%s is under %j", async (publicUrl, base) => {
  await open(null);
  expect(basePathOf({ publicUrl })).toBe(base);
});

test.each([
  ["passes the path on", "/aglens"],
  ["takes it off", ""],
])("a proxy that %s: page, files, API, addresses and cookies are under it", async (_, sent) => {
  await open("https://localhost/aglens");
  for (const path of ["/", "/captures/abc", "/captures/abc/timeline?v=1"]) {
    const { text } = await get(`${sent}${path}`).expect(200);
    expect(text).toContain('<meta name="aglens-base" content="/aglens">');
    expect(text).toContain('href="/aglens/assets/logo.svg"');
    expect(text).toContain('src="/aglens/assets/main.js"');
  }
  await get(`${sent}/assets/main.js`).expect(200, "1");
  await get(`${sent}/api/v1/captures`).expect(200);
  const made = await request(service.app)
    .post(`${sent}/api/v1/captures`)
    .set("authorization", `Bearer ${TOKENS.ann}`)
    .send({})
    .expect(201);
  expect(made.headers["location"]).toBe(`/aglens/api/v1/captures/${made.body.id}`);
  const upload = await request(service.app)
    .post(`${sent}/api/v1/captures/${made.body.id}/uploads`)
    .set({ authorization: `Bearer ${TOKENS.ann}`, "tus-resumable": "1.0.0", "upload-length": "3" })
    .set("upload-metadata", `filename ${Buffer.from("a.xel").toString("base64")}`)
    .expect(201);
  expect(upload.headers["location"]).toMatch(
    new RegExp(`^/aglens/api/v1/captures/${made.body.id}/uploads/[\\w-]+$`, "u"),
  );
  const cookie = await signIn(`${sent}/api/v1/access/token`);
  expect(cookie).toMatch(/^__Secure-aglens-session=.*; Path=\/aglens\/; .*HttpOnly; Secure; SameSite=Lax$/u);
  const signedIn = await request(service.app)
    .get(`${sent}/api/v1/access`)
    .set("cookie", cookie.split(";", 1)[0] ?? "");
  expect(signedIn.body.person).toMatchObject({ name: "Ann" });
});

test("the base path without a slash is the first page, and one that only begins like it is not under it", async () => {
  await open("https://localhost/aglens");
  expect((await get("/aglens").expect(200)).text).toContain("aglens-base");
  await get("/aglens/api/v1/captures").expect(200);
  expect((await get("/aglensx/api/v1/captures")).headers["content-type"]).toContain("text/html");
});

test("at the root of its host the page has no base path, and its files are at the root", async () => {
  await open(null);
  const { text } = await get("/captures/abc").expect(200);
  expect(text).not.toContain("aglens-base");
  expect(text).toContain('src="/assets/main.js"');
  expect(await signIn("/api/v1/access/token")).toMatch(/^aglens-session=.*; Path=\/; /u);
});
