/** Messages in the formats of their receivers. All are complete as text, and fit the limits of the services. */
import { escapeHtml } from "../../kernel/escape-html.ts";
import { clipped, type MessageRecord } from "./message.ts";
import { plainText, wordsOf, type MessageWords } from "./words.ts";

/** A picture with the sentence that replaces it. */
export interface MessagePicture {
  readonly png: Buffer;
  readonly alt: string;
}

type Told = Pick<MessageRecord, "id" | "made" | "watch" | "news">;

/** Version of the generic body; raised when a property changes its meaning or goes away. */
const BODY_VERSION = 1;
/** Teams refuses messages over 28 KB. */
const TEAMS_BYTES = 27_000;
/** Slack's limits, in characters: header, text of a section, field. */
const SLACK = { header: 150, text: 3_000, field: 2_000 } as const;

/** JSON for a webhook of any program; docs/operate/watches.md describes its properties. */
export function webhookBody(
  told: Told,
  publicUrl: string | null,
  picture: MessagePicture | null = null,
): string {
  const { id, made, watch, news } = told;
  const words = wordsOf(told, publicUrl);
  return JSON.stringify({
    version: BODY_VERSION,
    id,
    kind: news.kind,
    made,
    subject: words.subject,
    text: plainText(words),
    watch: { id: watch.id, group: watch.group },
    episode: "episode" in news ? news.episode : null,
    polls: "since" in news ? { server: news.server, since: news.since, code: newsCode(news) } : null,
    links: words.links,
    picture: picture && {
      contentType: "image/png",
      base64: picture.png.toString("base64"),
      alt: picture.alt,
    },
  });
}

const newsCode = (news: object): unknown => ("code" in news ? news.code : null);

/**
 * Adaptive Card in the message that a workflow of Teams takes ("When a Teams webhook request is received"). Runs of rich
 * text are never read as Markdown, so that names need no escape.
 */
export function teamsBody(told: Told, publicUrl: string | null): string {
  const words = wordsOf(told, publicUrl);
  return fitting([500, 200, 80], TEAMS_BYTES, (most) => {
    const { subject, lead, facts, notes, checkNext, links, footer } = shorter(words, most);
    return {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            msteams: { width: "Full" },
            body: [
              rich([{ text: subject, size: "Medium", weight: "Bolder" }]),
              rich([{ text: lead }]),
              ...facts.map(({ label, value }) =>
                rich([{ text: `${label}: `, isSubtle: true }, { text: value }], "Small"),
              ),
              ...notes.map((text) => rich([{ text }])),
              ...(checkNext.length === 0 ? [] : [rich([{ text: "Check next", weight: "Bolder" }])]),
              ...checkNext.map((text) => rich([{ text }], "Small")),
              ...(footer.length === 0
                ? []
                : [rich([{ text: footer.join(" "), isSubtle: true, size: "Small" }])]),
            ],
            actions: links.map(({ label, url }) => ({ type: "Action.OpenUrl", title: label, url })),
          },
        },
      ],
    };
  });
}

interface TextRun {
  readonly text: string;
  readonly size?: "Small" | "Medium";
  readonly weight?: "Bolder";
  readonly isSubtle?: boolean;
}

const rich = (runs: readonly TextRun[], spacing: "Small" | "Default" = "Default"): object => ({
  type: "RichTextBlock",
  spacing,
  inlines: runs.map((run) => ({ type: "TextRun", ...run })),
});

/** Blocks of Slack, in plain text, in which nothing is a mention or a format. */
export function slackBody(told: Told, publicUrl: string | null): string {
  const { subject, lead, facts, notes, checkNext, links, footer } = wordsOf(told, publicUrl);
  const section = (text: string): object => ({ type: "section", text: slackText(text, SLACK.text) });
  return JSON.stringify({
    // Notifications, and clients without blocks.
    text: slackText(`${subject}. ${lead}`, SLACK.text).text,
    mrkdwn: false,
    unfurl_links: false,
    blocks: [
      { type: "header", text: slackText(subject, SLACK.header) },
      section(lead),
      ...(facts.length === 0
        ? []
        : [
            {
              type: "section",
              fields: facts.flatMap(({ label, value }) => [
                { type: "mrkdwn", text: `*${escapeSlack(label)}*` },
                slackText(value, SLACK.field),
              ]),
            },
          ]),
      ...(notes.length === 0 ? [] : [section(notes.join(" "))]),
      ...(checkNext.length === 0 ? [] : [section(["Check next:", ...checkNext].join("\n"))]),
      ...(links.length === 0
        ? []
        : [
            {
              type: "actions",
              elements: links.map(({ label, url }) => ({
                type: "button",
                text: slackText(label, 75),
                url,
              })),
            },
          ]),
      ...(footer.length === 0
        ? []
        : [{ type: "context", elements: [slackText(footer.join(" "), SLACK.field)] }]),
    ],
  });
}

const SLACK_ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeSlack = (text: string): string =>
  text.replaceAll(/[&<>]/gu, (each) => SLACK_ENTITIES[each] ?? each);

/** Plain text of at most so many characters after its escape. */
function slackText(text: string, most: number): { type: "plain_text"; text: string; emoji: false } {
  let kept = text;
  for (;;) {
    const over = escapeSlack(kept).length - most;
    if (over <= 0) break;
    // An entity has up to five characters.
    kept = clipped(kept, kept.length - Math.ceil(over / 5));
  }
  return { type: "plain_text", text: escapeSlack(kept), emoji: false };
}

/** An e-mail: headers are without line breaks, and the HTML part is complete without the picture. */
export interface MailBody {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** @param cid content id of the picture; null without one */
export function mailBody(
  told: Told,
  publicUrl: string | null,
  picture: { readonly cid: string; readonly alt: string } | null,
): MailBody {
  const words = wordsOf(told, publicUrl);
  return {
    subject: `[AG Lens] ${oneLine(words.subject)}`,
    text: `${plainText(words)}\n`,
    html: mailHtml(words, picture),
  };
}

/** A text without control characters, which could end a header. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();

function mailHtml(
  { subject, lead, facts, notes, checkNext, links, footer }: MessageWords,
  picture: { readonly cid: string; readonly alt: string } | null,
): string {
  const p = (content: string, style = ""): string => `<p style="margin:0 0 12px;${style}">${content}</p>`;
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#434c59">${escapeHtml(label)}</td><td style="padding:2px 0">${escapeHtml(value)}</td></tr>`,
  );
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:16px;background:#ffffff;color:#12161c;font:15px/1.4 Segoe UI,Arial,sans-serif">`,
    `<h1 style="margin:0 0 12px;font-size:19px">${escapeHtml(subject)}</h1>`,
    p(escapeHtml(lead), "font-weight:600;border-left:3px solid #12161c;padding-left:10px"),
    rows.length === 0
      ? ""
      : `<table role="presentation" cellspacing="0" cellpadding="0" style="margin:0 0 12px">${rows.join("")}</table>`,
    picture === null
      ? ""
      : p(
          `<img src="cid:${escapeHtml(picture.cid)}" alt="${escapeHtml(picture.alt)}" width="600" style="max-width:100%;height:auto">`,
        ),
    notes.length === 0 ? "" : p(escapeHtml(notes.join(" "))),
    checkNext.length === 0 ? "" : p(["<b>Check next</b>", ...checkNext.map(escapeHtml)].join("<br>")),
    ...links.map(({ label, url }) =>
      p(`<a href="${escapeHtml(url)}">${escapeHtml(label)}</a><br>${escapeHtml(url)}`),
    ),
    footer.length === 0 ? "" : p(escapeHtml(footer.join(" ")), "color:#434c59;font-size:13px"),
    "</body></html>",
  ].join("");
}

/** The JSON of the longest version that fits. @param lengths most characters of a text, the longest first */
function fitting(lengths: readonly number[], bytes: number, render: (most: number) => object): string {
  const texts = lengths.map((most) => JSON.stringify(render(most)));
  return texts.find((text) => Buffer.byteLength(text) <= bytes) ?? texts.at(-1) ?? "";
}

function shorter(words: MessageWords, most: number): MessageWords {
  const short = (text: string): string => clipped(text, most);
  return {
    ...words,
    subject: short(words.subject),
    lead: short(words.lead),
    facts: words.facts.map(({ label, value }) => ({ label, value: short(value) })),
    notes: words.notes.map(short),
    checkNext: words.checkNext.map(short),
    footer: words.footer.map(short),
  };
}
