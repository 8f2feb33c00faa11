/** Sends one message to its receiver, by the address and the secrets that the watch file has at that time. */
import type { Logger } from "pino";
import type { Clock } from "../../kernel/clock.ts";
import { WatchFileError, type Receiver, type WatchFile, type WatchSecrets } from "../watch-file.ts";
import { mailBody, slackBody, teamsBody, webhookBody, type MessagePicture } from "./bodies.ts";
import { sendMail } from "./email.ts";
import { clipped, type MessageRecord } from "./message.ts";
import { refused, type Outcome } from "./outcome.ts";
import { pictureOf, type RecordedCaptures } from "./recorded.ts";
import { postMessage } from "./webhook.ts";
import { wordsOf } from "./words.ts";

interface SenderParts {
  readonly secrets: WatchSecrets;
  readonly captures: RecordedCaptures;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  readonly publicUrl: string | null;
}

type Sent = Pick<MessageRecord, "id" | "answers" | "receiver" | "made" | "watch" | "news">;

/** Names of the kinds in sentences. */
const KINDS: Readonly<Record<Receiver["kind"], string>> = {
  teams: "Teams",
  slack: "Slack",
  webhook: "webhook",
  email: "e-mail",
};

export class Sender {
  readonly #parts: SenderParts;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Never throws. `kind` is null where the file doesn't have the receiver. */
  async send(told: Sent): Promise<{ readonly outcome: Outcome; readonly kind: string | null }> {
    let kind: string | null = null;
    try {
      const file = await this.#parts.secrets.read();
      const receiver = Object.hasOwn(file.receivers, told.receiver)
        ? file.receivers[told.receiver]
        : undefined;
      if (receiver === undefined)
        return { outcome: refused("The watch file has no such receiver."), kind: null };
      kind = KINDS[receiver.kind];
      return { outcome: await this.#sendTo(receiver, file, told), kind };
    } catch (error) {
      if (error instanceof WatchFileError) return { outcome: refused(error.message), kind };
      this.#parts.log.warn({ err: error }, "can't make a message of a watch");
      return { outcome: refused("AG Lens can't make the message. The log has the reason."), kind };
    }
  }

  async #sendTo(receiver: Receiver, file: WatchFile, told: Sent): Promise<Outcome> {
    const { secrets, clock, publicUrl } = this.#parts;
    if (receiver.kind === "email") return this.#sendMail(receiver.to, file, told);
    const url = await secrets.secret(receiver.url);
    const key =
      receiver.kind === "webhook" && receiver.key !== undefined ? await secrets.secret(receiver.key) : null;
    const bodies = { teams: teamsBody, slack: slackBody };
    const body =
      receiver.kind === "webhook"
        ? webhookBody(told, publicUrl, await this.#picture(told))
        : bodies[receiver.kind](told, publicUrl);
    return postMessage({ url: url.trim(), id: told.id, body, key }, clock);
  }

  async #sendMail(to: readonly string[], { mail }: WatchFile, told: Sent): Promise<Outcome> {
    if (mail === undefined) return refused('The watch file has no "mail", which names the mail server.');
    const password = mail.password === undefined ? null : await this.#parts.secrets.secret(mail.password);
    const picture = await this.#picture(told);
    const shown = picture && { ...picture, cid: `${told.id}@aglens` };
    const { id, answers } = told;
    const body = mailBody(told, this.#parts.publicUrl, shown);
    return sendMail({ mail: { ...mail, password }, to, id, answers, body, picture: shown });
  }

  /** The picture of the recording; null without one, and where it can't be drawn. */
  async #picture({ news, watch, made }: Sent): Promise<MessagePicture | null> {
    const captureId = news.kind === "end" ? news.episode.captureId : null;
    if (captureId === null) return null;
    try {
      const png = await pictureOf(this.#parts.captures, captureId);
      return png && { png, alt: clipped(wordsOf({ news, watch, made }, null).lead, 500) };
    } catch (error) {
      this.#parts.log.warn({ err: error }, "can't draw the picture of a message");
      return null;
    }
  }
}
