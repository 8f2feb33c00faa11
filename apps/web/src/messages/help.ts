/** Texts of help, and the dialogs of names and tags. */
export const helpTexts = {
  // Guide blocks
  code: "Code",

  // Help screen
  help: "Help",
  helpPart: (title: string): string => `${title}, help`,
  allCaptures: "All captures",
  captureGuide: "Capture guide",
  searchHelp: "search help",
  previousNextPage: "previous, next page",
  back: "back",
  guideHasNoSuch: "The guide has no such page",
  chooseAPage: "Choose a page, or search for a word.",
  pagesOfTheGuide: "Pages of the guide",
  searchHelpLabel: "Search help",
  pages: (foundCount: number): string => `${foundCount} pages`,
  noPageMatches: (search: string): string => `No page matches “${search}”.`,
  clearSearch: "Clear search",

  // Names dialog
  names: "Names",
  capture: "Capture",
  availabilityGroup: "Availability group",
  notKnown: "not known",
  servers: "Servers",
  databases: "Databases",
  origins: {
    renamed: { name: "renamed", title: "A user entered this name." },
    topology: { name: "topology file", title: "This name is from a topology file of the capture." },
    health: {
      name: "AlwaysOn_health",
      title: "This name is from events of AlwaysOn_health in the capture.",
    },
    remembered: {
      name: "remembered",
      title:
        "This name is from another capture or a live check with the same id. This capture has no file with it.",
    },
  },
  allUsersWhoOpen:
    "All users who open this capture see these names. AG Lens uses them for the same ids in other captures. When the name of the group, of a server or of a database changes, the capture is analyzed again.",
  restoreNames: "Restore names",
  cancel: "Cancel",
  saveNames: "Save names",
  of: (title: string, i: number, namedCount: number): string => `${title}, ${i} of ${namedCount}`,

  // Tags dialog
  tagsOfThisCapture: "Tags of this capture",
  tagsOfCaptures: (idCount: string): string => `Tags of ${idCount} captures`,
  done: "Done",
  wasSet: (tag: string): string => `${tag} was set.`,
  wasTakenOff: (tag: string): string => `${tag} was taken off.`,
  add: "Add",
  noTagYet: "No tag yet.",
  tags: "Tags",
  onOf: (captures: number, idCount: number): string => `on ${captures} of ${idCount}`,
  takeOff: (tag: string): string => `Take ${tag} off`,
  addATag: "Add a tag",
  nightlyLoadTestIncident: "nightly, load test, incident",
} as const;
