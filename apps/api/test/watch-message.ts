/** The story of the drawn messages, and servers that receive messages. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { WatchEpisode } from "@aglens/contract";
import { SMTPServer } from "smtp-server";
import type { SMTPServerOptions } from "smtp-server";
import type { RecordedResults } from "../src/watch/messages/message.ts";
import type { MessageWatch } from "../src/watch/watch-messages.ts";

/** SALES-AG, 24 Nov 2026: the log disk of SQL2 is slow from 02:41:07 to 02:44:30. */
export const STORY_WATCH: MessageWatch = {
  id: "sales",
  owner: { id: "1", name: "dba-1" },
  week: { recordings: 3, refused: 2, bytes: 92_300_000 },
  definition: {
    group: "SALES-AG",
    receivers: ["DBA alerts"],
    recording: {
      quietSeconds: 60,
      mostSeconds: 600,
      ringSeconds: 30,
      mostPerDay: 6,
      mostPerWeek: 20,
      mostBytesPerWeek: 2e9,
      holdOffSeconds: 900,
      keepDays: null,
      withoutCommits: false,
    },
  },
};

export const STORY_START: WatchEpisode = {
  id: "episode1",
  trigger: {
    rule: "commitDelay",
    at: "2026-11-24T02:41:25.000Z",
    text: "Commit delay over 15 ms for 15 s",
    value: 20.1,
    limit: 15,
    usual: 3.1,
  },
  ended: null,
  state: "recording",
  refusal: null,
  recordedFrom: null,
  recordedTo: null,
  captureId: null,
  bytes: null,
  verdict: null,
  place: null,
  p95Us: null,
  steps: [{ at: "2026-11-24T02:41:25.000Z", text: "Trigger", isProblem: false }],
};

export const STORY_END: WatchEpisode = {
  ...STORY_START,
  ended: "2026-11-24T02:44:30.000Z",
  state: "recorded",
  recordedFrom: "2026-11-24T02:40:55.000Z",
  recordedTo: "2026-11-24T02:45:30.000Z",
  captureId: "8f2k41",
  bytes: 29_800_000,
  verdict: "SQL2's log write takes 94 % of remote harden time. It was 31 ms instead of 2.1 ms (p95).",
  place: "secondary",
  p95Us: 36_000,
};

export const STORY_RESULTS: RecordedResults = {
  stage: "SQL2 log write",
  window: { from: "2026-11-24T02:41:07.000Z", to: "2026-11-24T02:44:30.000Z" },
  p95InsideUs: 38_000,
  p95OutsideUs: 5_200,
  checkNext: ["Check the volume of SQL2's log for other load at 02:41."],
};

interface HookRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Hook extends AsyncDisposable {
  readonly url: string;
  readonly requests: HookRequest[];
  /** Answers the next requests; 202 until a test says otherwise. */
  answer: (response: ServerResponse, request: HookRequest) => void;
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = "") =>
  (response: ServerResponse): void => {
    response.writeHead(code, headers).end(body);
  };

/** A server of HTTP that keeps what it receives. */
export async function hookServer(): Promise<Hook> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const received = { headers: request.headers, body: Buffer.concat(parts).toString("utf8") };
      hook.requests.push(received);
      hook.answer(response, received);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const hook: Hook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests: [],
    answer: status(202),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return hook;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: {
    readonly to: readonly string[];
    readonly isEncrypted: boolean;
    readonly user: unknown;
    readonly source: string;
  }[];
}

/** A mail server that keeps what it receives. */
export async function mailServer(options: SMTPServerOptions): Promise<MailServer> {
  const mails: MailServer["mails"] = [];
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 10,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          user: session.user,
          source: Buffer.concat(parts).toString("utf8"),
        });
        done();
      });
    },
    ...options,
  });
  // A client that does not trust the certificate ends the handshake.
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  return {
    port: (listening.address() as AddressInfo).port,
    mails,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}
