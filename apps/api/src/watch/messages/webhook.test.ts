import { createHmac } from "node:crypto";
import { TestClock } from "@aglens/fixtures/clock";
import { expect, test } from "vitest";
import { freePort } from "../../../test/free-port.ts";
import { hookServer, status } from "../../../test/watch-message.ts";
import { until } from "../../../test/until.ts";
import { postMessage } from "./webhook.ts";

const AT = Date.UTC(2026, 10, 24, 2, 45, 46, 900);
const request = { id: "message1", body: '{"text":"SALES-AG"}', key: null };

test("sends body, id and type; without a key there is no signature", async () => {
  await using hook = await hookServer();
  expect(await postMessage({ ...request, url: hook.url }, new TestClock(AT))).toEqual({
    isAccepted: true,
    but: null,
  });
  expect(hook.requests).toHaveLength(1);
  expect(hook.requests[0]?.body).toBe(request.body);
  expect(hook.requests[0]?.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "x-aglens-delivery": "message1",
  });
  expect(hook.requests[0]?.headers).not.toHaveProperty("x-aglens-signature");
});

test("with a key, the signature is the HMAC-SHA256 of time and body", async () => {
  await using hook = await hookServer();
  await postMessage({ ...request, url: hook.url, key: "secret" }, new TestClock(AT));
  // printf '1795488346.{"text":"SALES-AG"}' | openssl dgst -sha256 -hmac secret
  const [, seconds, hex] =
    /^t=(\d+),v1=([0-9a-f]{64})$/u.exec(String(hook.requests[0]?.headers["x-aglens-signature"])) ?? [];
  expect(seconds).toBe("1795488346");
  expect(hex).toBe(createHmac("sha256", "secret").update('1795488346.{"text":"SALES-AG"}').digest("hex"));
});

const refusal = async (url: string): Promise<unknown> =>
  postMessage({ ...request, url, key: "top-secret" }, new TestClock(AT));

test.each([
  [403, "", "The receiver answered 403. Check its URL and key in the watch file.", false],
  [404, "no_service", "The receiver answered 404 (no_service). Its URL isn't valid.", false],
  [400, "invalid_blocks", "The receiver answered 400 (invalid_blocks).", true],
  [400, "token=SECRET is wrong", "The receiver answered 400.", true],
  [413, "", "The receiver answered 413. The message is too large for it.", true],
  [500, "stack with SECRET", "The receiver answered 500.", false],
])("%i %j is a refusal in a sentence, without the answer's text", async (code, body, sentence, isFinal) => {
  await using hook = await hookServer();
  hook.answer = status(code, {}, body);
  const outcome = await refusal(hook.url);
  expect(outcome).toMatchObject({ isAccepted: false, isFinal, sentence: expect.stringContaining(sentence) });
  expect(JSON.stringify(outcome)).not.toMatch(/secret/iu);
});

test("a redirect isn't followed", async () => {
  await using other = await hookServer();
  await using hook = await hookServer();
  hook.answer = status(307, { location: other.url });
  expect(await refusal(hook.url)).toMatchObject({
    sentence: expect.stringContaining("The receiver answered 307. AG Lens doesn't follow redirects."),
  });
  expect(other.requests).toEqual([]);
});

test("Retry-After of a receiver with too many messages is taken, up to an hour", async () => {
  await using hook = await hookServer();
  hook.answer = status(429, { "retry-after": "300" });
  expect(await refusal(hook.url)).toMatchObject({ isFinal: false, waitMs: 300_000 });
  hook.answer = status(429, { "retry-after": "999999" });
  expect(await refusal(hook.url)).toMatchObject({ waitMs: 3_600_000 });
});

test("a receiver that doesn't answer within 10 s is a refusal, also one that never ends its answer", async () => {
  await using hook = await hookServer();
  const answers: (typeof hook.answer)[] = [
    () => {},
    (response) => {
      response.writeHead(200).write("begin");
    },
  ];
  for (const answer of answers) {
    hook.answer = answer;
    hook.requests.length = 0;
    const clock = new TestClock(AT);
    const outcome = postMessage({ ...request, url: hook.url }, clock);
    await until(() => hook.requests.length > 0);
    await clock.pass(9_900, 100);
    expect(await Promise.race([outcome, Promise.resolve("waits")])).toBe("waits");
    await clock.pass(200, 100);
    expect(await outcome).toMatchObject({ sentence: "The receiver didn't answer within 10\u00A0s." });
    expect(clock.waiting).toBe(0);
  }
});

test("an answer is read up to 4 KB", async () => {
  await using hook = await hookServer();
  let written = 0;
  hook.answer = (response) => {
    response.writeHead(200);
    const more = (): void => {
      if (response.destroyed || written > 1e9) return;
      written += 65_536;
      if (response.write(Buffer.alloc(65_536))) setImmediate(more);
      else response.once("drain", more);
    };
    more();
  };
  expect(await refusal(hook.url)).toMatchObject({ isAccepted: true });
  expect(written).toBeLessThan(1e8);
});

test("a lost answer and a closed port are refusals", async () => {
  await using hook = await hookServer();
  hook.answer = (response) => response.destroy();
  expect(await refusal(hook.url)).toMatchObject({
    isFinal: false,
    sentence: expect.stringMatching(/^The connection ended before the receiver answered \(\w+\)\.$/u),
  });
  expect(await refusal(`http://127.0.0.1:${await freePort()}/`)).toMatchObject({
    sentence: "The receiver's server accepts no connections (ECONNREFUSED).",
  });
});

test.each(["ftp://example.com/", "file:///etc/passwd", "nonsense", "https://user:secret@example.com/"])(
  "%s is not sent to",
  async (url) => {
    expect(await refusal(url)).toMatchObject({
      sentence: "The receiver's URL in the watch file is not an http or https URL.",
    });
  },
);
