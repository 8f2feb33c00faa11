/** Colours, radii and fonts come from tokens; everything else is what oxfmt formats. */
export default {
  extends: "stylelint-config-recommended",
  rules: {
    // Selectors are ordered by what they are about, as the components are.
    "no-descending-specificity": null,
    "selector-class-pattern": ["^[a-z][a-z0-9]*(-[a-z0-9]+)*$", { message: "Class names are kebab-case." }],
    "color-no-hex": [true, { message: "Take a colour from ui/tokens.css." }],
  },
  overrides: [{ files: ["**/tokens.css"], rules: { "color-no-hex": null } }],
};
