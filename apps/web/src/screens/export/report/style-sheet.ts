/** The report's style sheet: the app's tokens and fonts inside, so that it needs no other file. */
import interUrl from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import monoUrl from "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url";
import tokens from "../../../ui/tokens.css?inline";
import report from "./report.css?inline";

const DARK_RULE = /\[data-theme=["']?dark["']?\]\s*\{([^}]*)\}/u;

/** The app's tokens with its dark theme for readers who prefer it; paper is always light. */
export const withDarkByPreference = (css: string): string =>
  css.replace(DARK_RULE, "@media screen and (prefers-color-scheme: dark) { :root { $1 } }");

/** Reads the fonts and puts everything together. */
export const reportStyleSheet = async (signal: AbortSignal): Promise<string> =>
  [await fontFaces(signal), withDarkByPreference(tokens), report].join("\n");

/** The app's two fonts inside the rules that name them. */
export async function fontFaces(signal: AbortSignal): Promise<string> {
  const [inter, mono] = await Promise.all([dataUrl(interUrl, signal), dataUrl(monoUrl, signal)]);
  return [
    fontFace("Inter Variable", "100 900", inter),
    fontFace("JetBrains Mono Variable", "100 800", mono),
  ].join("\n");
}

const fontFace = (family: string, weights: string, url: string): string =>
  `@font-face { font-family: "${family}"; font-weight: ${weights}; src: url(${url}) format("woff2"); }`;

async function dataUrl(url: string, signal: AbortSignal): Promise<string> {
  const font = await (await fetch(url, { signal })).blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("A font cannot be read.")));
    reader.readAsDataURL(font);
  });
}
