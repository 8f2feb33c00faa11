import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { STANDIN_CERTIFICATE, STANDIN_KEY } from "@aglens/fixtures/replica-standin";
import type { SMTPServerOptions } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailServer } from "../../../test/watch-message.ts";
import type { Mail } from "../watch-file.ts";
import { sendMail, type MailRequest } from "./email.ts";

const REQUEST = {
  to: ["dba@example.com"],
  id: "message2",
  answers: "message1",
  body: { subject: "[AG Lens] SALES-AG: SQL2 log write slow", text: "Verdict\n", html: "<p>Verdict</p>" },
  picture: { cid: "message2@aglens", png: Buffer.from("picture"), alt: "Verdict" },
};
const ENCRYPTED: SMTPServerOptions = { key: STANDIN_KEY, cert: STANDIN_CERTIFICATE, authOptional: true };
const PLAIN: SMTPServerOptions = { disabledCommands: ["STARTTLS"], authOptional: true };

const requestTo = (
  port: number,
  mail: Partial<Mail> = {},
  password: string | null = null,
  more: Partial<MailRequest> = {},
): MailRequest => {
  const { password: _none, ...rest } = mail;
  return {
    ...REQUEST,
    ...more,
    mail: { host: "localhost", port, security: "none", from: "aglens@example.com", ...rest, password },
  };
};

/** An error as a mail server answers it. */
const answer = (responseCode: number): Error =>
  Object.assign(new Error("mailbox of secret@example.com"), { responseCode });

describe("with a mail server whose certificate is trusted", () => {
  let trusted: string[];
  beforeAll(() => {
    trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, STANDIN_CERTIFICATE]);
  });
  afterAll(() => setDefaultCACertificates(trusted));

  test("a message is sent by STARTTLS after a sign-in, as an answer, with text, HTML and picture", async () => {
    await using server = await mailServer({
      ...ENCRYPTED,
      authOptional: false,
      onAuth: ({ username, password }, _, done) =>
        password === "right" ? done(null, { user: username }) : done(new Error("wrong")),
    });
    const request = requestTo(server.port, { security: "starttls", user: "aglens" }, "right");
    expect(await sendMail(request)).toEqual({ isAccepted: true, but: null });
    expect(server.mails).toHaveLength(1);
    const { source, ...mail } = server.mails[0]!;
    expect(mail).toEqual({ to: ["dba@example.com"], isEncrypted: true, user: "aglens" });
    for (const line of [
      "From: AG Lens <aglens@example.com>",
      "To: dba@example.com",
      "Subject: [AG Lens] SALES-AG: SQL2 log write slow",
      "Message-ID: <message2@example.com>",
      "In-Reply-To: <message1@example.com>",
      "References: <message1@example.com>",
      "Auto-Submitted: auto-generated",
      "X-Aglens-Delivery: message2",
      "Content-ID: <message2@aglens>",
      "Content-Description: Verdict",
      "cGljdHVyZQ==",
      "<p>Verdict</p>",
    ])
      expect(source.split("\r\n")).toContain(line);
    expect(source).toContain("multipart/alternative");

    expect(await sendMail({ ...request, mail: { ...request.mail, password: "wrong" } })).toEqual({
      isAccepted: false,
      isFinal: false,
      waitMs: null,
      sentence:
        'The mail server refused the sign-in (535). Check user and password of "mail" in the watch file.',
    });
  });

  test("TLS from the start is used where the file has it", async () => {
    await using server = await mailServer({ ...ENCRYPTED, secure: true });
    expect(await sendMail(requestTo(server.port, { security: "tls" }))).toMatchObject({ isAccepted: true });
    expect(server.mails[0]?.isEncrypted).toBe(true);
  });

  test("a server without STARTTLS gets no message, unless the file has no security", async () => {
    await using server = await mailServer(PLAIN);
    expect(await sendMail(requestTo(server.port, { security: "starttls" }))).toMatchObject({
      isAccepted: false,
      sentence: expect.stringContaining("The mail server doesn't encrypt the connection"),
    });
    expect(server.mails).toEqual([]);
    expect(await sendMail(requestTo(server.port))).toMatchObject({ isAccepted: true });
    expect(server.mails[0]?.isEncrypted).toBe(false);
  });
});

test("a certificate that isn't trusted is a refusal", async () => {
  await using server = await mailServer(ENCRYPTED);
  expect(await sendMail(requestTo(server.port, { security: "starttls" }))).toMatchObject({
    isAccepted: false,
    isFinal: false,
    sentence: expect.stringMatching(/certificate isn't trusted/u),
  });
  expect(server.mails).toEqual([]);
});

test.each([
  [550, "The mail server refused the sender or all addresses (550).", true],
  [451, "The mail server refused the sender or all addresses (451).", false],
])("%i for all addresses is a refusal", async (code, sentence, isFinal) => {
  await using server = await mailServer({ ...PLAIN, onRcptTo: (_, __, done) => done(answer(code)) });
  const outcome = await sendMail(requestTo(server.port));
  expect(outcome).toEqual({ isAccepted: false, sentence, isFinal, waitMs: null });
});

test.each([
  [552, true],
  [451, false],
])("%i for the message is a refusal", async (code, isFinal) => {
  await using server = await mailServer({
    ...PLAIN,
    onData: (stream, _, done) => stream.on("end", () => done(answer(code))).resume(),
  });
  const sentence = `The mail server refused the message (${code}).`;
  expect(await sendMail(requestTo(server.port))).toMatchObject({ isAccepted: false, sentence, isFinal });
});

test("a message that some addresses are refused for is accepted, and never sent again to the others", async () => {
  await using server = await mailServer({
    ...PLAIN,
    onRcptTo: ({ address }, _, done) => done(address === "gone@example.com" ? answer(550) : null),
  });
  const to = ["dba@example.com", "gone@example.com"];
  expect(await sendMail(requestTo(server.port, {}, null, { to }))).toEqual({
    isAccepted: true,
    but: "The mail server refused 1 of 2 addresses.",
  });
  expect(server.mails.map((mail) => mail.to)).toEqual([["dba@example.com"]]);
});

test("a mail server that isn't there is a refusal", async () => {
  const server = await mailServer(PLAIN);
  await server[Symbol.asyncDispose]();
  expect(await sendMail(requestTo(server.port))).toMatchObject({
    isAccepted: false,
    isFinal: false,
    sentence: "The mail server accepts no connections (ECONNREFUSED).",
  });
});

test("nothing of a message can add a header", async () => {
  await using server = await mailServer(PLAIN);
  const evil = "SALES\r\nBcc: all@example.com\r\n\r\nbody";
  await sendMail(
    requestTo(server.port, {}, null, {
      body: { ...REQUEST.body, subject: evil },
      picture: { ...REQUEST.picture, alt: evil },
    }),
  );
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]?.to).toEqual(["dba@example.com"]);
  expect(server.mails[0]?.source).not.toMatch(/^Bcc:/imu);
});
