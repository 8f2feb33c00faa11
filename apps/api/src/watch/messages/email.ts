/** Sends a message by e-mail, with a connection of its own. */
import { createTransport } from "nodemailer";
import type { Mail } from "../watch-file.ts";
import { oneLine, type MailBody } from "./bodies.ts";
import { ACCEPTED, connectionSentence, refused, type Outcome } from "./outcome.ts";

/** Time for a connection, and for each answer of the mail server. */
const ANSWER_MS = 10_000;

export interface MailRequest {
  readonly mail: Omit<Mail, "password"> & { readonly password: string | null };
  readonly to: readonly string[];
  /** Id of the message, and of the one that it answers. */
  readonly id: string;
  readonly answers: string | null;
  readonly body: MailBody;
  readonly picture: { readonly cid: string; readonly png: Buffer; readonly alt: string } | null;
}

/** It never throws. */
export async function sendMail(request: MailRequest): Promise<Outcome> {
  const { mail, to, id, answers, body, picture } = request;
  const { host, port, security, user, password, from } = mail;
  const transport = createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
    connectionTimeout: ANSWER_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    dnsTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { rejected } = await transport.sendMail({
      from: { name: "AG Lens", address: from },
      to: [...to],
      subject: body.subject,
      text: body.text,
      html: body.html,
      messageId: messageId(id, from),
      ...(answers === null
        ? {}
        : { inReplyTo: messageId(answers, from), references: [messageId(answers, from)] }),
      headers: {
        "X-AGLens-Delivery": id,
        // No answers of absence.
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
      },
      attachments:
        picture === null
          ? []
          : [
              {
                filename: "recording.png",
                content: picture.png,
                contentType: "image/png",
                cid: picture.cid,
                contentDisposition: "inline" as const,
                headers: { "Content-Description": oneLine(picture.alt) },
              },
            ],
    });
    if (rejected.length === 0) return ACCEPTED;
    return {
      isAccepted: true,
      but: `The mail server refused ${rejected.length} of ${to.length} addresses.`,
    };
  } catch (error) {
    return refusalOf(error as MailError);
  } finally {
    transport.close();
  }
}

/** Message-ID of a message: the same at each try, by which mail servers recognize a copy. */
const messageId = (id: string, from: string): string => `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`;

interface MailError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

function refusalOf(error: MailError): Outcome {
  const { code, responseCode } = error;
  if (code === "ETLS")
    return refused(
      "The mail server doesn't encrypt the connection, or its certificate isn't trusted. \"security\" of the watch file requires it.",
    );
  if (code === "EAUTH" || code === "ENOAUTH")
    return refused(
      `The mail server refused the sign-in${answerOf(responseCode)}. Check user and password of "mail" in the watch file.`,
    );
  if (responseCode !== undefined && responseCode >= 400) {
    const isFinal = responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE");
    const what = code === "EENVELOPE" ? "the sender or all addresses" : "the message";
    return refused(`The mail server refused ${what}${answerOf(responseCode)}.`, isFinal);
  }
  return refused(connectionSentence(error).replace("The receiver's server", "The mail server"));
}

const answerOf = (responseCode: number | undefined): string =>
  responseCode === undefined ? "" : ` (${responseCode})`;
