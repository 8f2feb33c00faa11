/** Texts of filters. */
export const filterTexts = {
  // Filter words
  size: (comparison: string): string => `size ${comparison}`,
  classOn: (writeClass: string, replica: string): string => `class = ${writeClass} on ${replica}`,
  onAnyReplica: (words: string): string => `${words} on any replica`,
  releasedBySOwn: (primary: string): string => `released by ${primary}'s own log write`,
  releasedBySAck: (secondaryName: string): string => `released by ${secondaryName}'s ack`,
  anyReplica: "any replica",
  logWriteOn: (writeClass: string, whose: string): string => `${writeClass} log write on ${whose}`,
  database: (database: string | number): string => `database ${database}`,
  secondary: (secondary: number): string => `secondary ${secondary}`,

  // Read filter
  filterHasAtMost: (mostConditions: number): string => `A filter has at most ${mostConditions} conditions.`,
  afterComes: (words: string, goesOn: string): string => `After ${words} comes ${goesOn} and a value.`,
  isNoCondition: (words: string): string => `${words} is no condition.`,
  thisIsWritten: (form: string): string => `This is written ${form}.`,
  clientIsNumber: (subject: string): string => `Enter a number after ${subject}, such as ${subject}:57.`,
  noApplications: "This capture has no names of applications.",
  isMissing: (what: string, known: string): string => `A ${what} is missing: ${known}.`,
  thereIsNoThere: (what: string, words: string, known: string): string =>
    `There is no ${what} ${words}; there are ${known}.`,
  lsnFormat: "An LSN is written 00000022:00000167 or 34:359, a range of them A..B.",
  writeClass: "write class",
  amountsAreCompared: (example: string): string =>
    `Amounts are compared with > or <, or lie in a range A..B: ${example}.`,
  rangeBegins: "A range begins with its smaller end.",
  amountIsMissing: (example: string): string => `An amount is missing: ${example}.`,
  isNoAmount: (words: string, example: string): string => `${words} is no amount: ${example}.`,
  thereIsNoUnit: (unit: string, known: string): string => `There is no unit ${unit}; there are ${known}.`,
  twoReplicasAreNamed: "Two replicas are named; a condition is about one of them, or about any.",
  stageIsMissingSuch: "A stage is missing, such as log write.",
  thereIsNoStage: (words: string): string => `There is no stage ${words}.`,
  isOnAlone: (stageSubject: string, primary: string): string => `${stageSubject} is on ${primary} alone.`,
  isNamed: (stageSubject: string, secondaries: string): string =>
    `${stageSubject} is named by its secondary: ${secondaries}.`,
} as const;
