/** Colors of the picture of a link: those of the app's tokens (apps/web/src/ui/tokens.css); a test compares them. */
export interface Palette {
  readonly surface: string;
  readonly sunken: string;
  readonly ink: string;
  readonly "ink-2": string;
  readonly "p-disk": string;
  readonly "p-work": string;
  readonly "n-out": string;
  readonly "n-back": string;
  readonly "s-disk": string;
  readonly "s-work": string;
  readonly wait: string;
  readonly "c-bad": string;
  readonly "bad-ink": string;
}

export const PALETTES: Readonly<Record<"light" | "dark", Palette>> = {
  light: {
    surface: "#ffffff",
    sunken: "#eceef1",
    ink: "#12161c",
    "ink-2": "#434c59",
    "p-disk": "#1d5fc4",
    "p-work": "#7aa7ee",
    "n-out": "#cf6200",
    "n-back": "#ee9a34",
    "s-disk": "#0a7a68",
    "s-work": "#55c3ac",
    wait: "#7f8896",
    "c-bad": "#b0113c",
    "bad-ink": "#a50f38",
  },
  dark: {
    surface: "#13171d",
    sunken: "#090b0e",
    ink: "#e9edf2",
    "ink-2": "#b1bac6",
    "p-disk": "#5a9bff",
    "p-work": "#2f5c9c",
    "n-out": "#ff9430",
    "n-back": "#b9691a",
    "s-disk": "#2fc7aa",
    "s-work": "#1d7263",
    wait: "#667282",
    "c-bad": "#ffb3c6",
    "bad-ink": "#ff7d9c",
  },
};
