/** The five widths at which screens change, and two heights; CSS has no name for them. A phone on its side is the third height. */
const WIDTHS = [719, 1023, 1279, 1439, 1679];
const HEIGHTS = [499, 699, 859];
const pixels = (sizes) => sizes.map((size) => `${size}px`);
const fromToken = (prefix) => new RegExp(`^var\\(--${prefix}`, "u");

/** Colours, fonts, radii and widths of screens come from tokens and the lists above; everything else is what oxfmt formats. */
export default {
  extends: "stylelint-config-recommended",
  rules: {
    "property-no-unknown": [true, { ignoreProperties: ["composes"] }],
    // Selectors are ordered by what they are about, as the components are.
    "no-descending-specificity": null,
    "selector-class-pattern": ["^[a-z][a-z0-9]*(-[a-z0-9]+)*$", { message: "Class names are kebab-case." }],
    "color-no-hex": [true, { message: "Take a colour from ui/tokens.css." }],
    "color-named": ["never", { message: "Take a colour from ui/tokens.css." }],
    "function-disallowed-list": [
      ["rgb", "rgba", "hsl", "hsla", "oklch"],
      { message: "Take a colour from ui/tokens.css." },
    ],
    "declaration-property-value-allowed-list": [
      { font: [fromToken("t-"), "inherit"], "font-size": ["0"] },
      { message: "Take a font from ui/tokens.css." },
    ],
    "media-feature-name-value-allowed-list": [
      {
        "max-width": pixels(WIDTHS),
        "min-width": pixels(WIDTHS.map((width) => width + 1)),
        "max-height": pixels(HEIGHTS),
      },
      { message: "Screens change at the widths and heights in stylelint.config.js." },
    ],
  },
  overrides: [
    { files: ["**/tokens.css"], rules: { "color-no-hex": null, "function-disallowed-list": null } },
  ],
};
