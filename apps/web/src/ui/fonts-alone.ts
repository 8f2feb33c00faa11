/** The app's two fonts in a page in one file: Latin only, from the same bytes as in its reports. */
import interUrl from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import monoUrl from "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url";

for (const [family, url, weight] of [
  ["Inter Variable", interUrl, "100 900"],
  ["JetBrains Mono Variable", monoUrl, "100 800"],
] as const) {
  document.fonts.add(new FontFace(family, `url(${url})`, { weight, display: "swap" }));
}
