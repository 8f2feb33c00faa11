/** Texts of the distribution screen. */
export const distributionTexts = {
  // Bin table
  byDuration: (name: string): string => `${name} by duration`,
  underTheFirstBin: "under the first bin",
  overTheLastBin: "over the last bin",
  notGiven: "not given",

  // Comparable ranges
  wholeCapture: "the whole capture",
  commonTime: "the common time",
  sameTimeBefore: "the same time before",
  to: (label: string, from: string, to: string): string => `${label}, ${from} to ${to}`,

  // Distribution choices
  durationPerStage: "Duration per stage",
  logTime: "log time",
  linearTime: "linear time",
  scaleOfDurations: "Scale of durations",
  log: "Log",
  linear: "Linear",
  showAsCharts: "Show as charts",
  showAsTable: "Show as table",
  stage: "Stage",
  secondary: "Secondary",
  outline: "Outline",
  noSecondRange: "no second range",
  rangeInViewKept: "the range in view, kept",

  // Distribution screen
  splitOnOff: "split log writes",
  distributionOfDurations: "Distribution of durations",
  reading: "reading",
  percentiles: "Percentiles",
  noLogBlock: "No log block and no commit is in this range.",
  blocks: (count: string, commits: string): string => `${count} blocks, ${commits}`,
  toPart: "to",
  stagePart: "stage",
  dragOverBarsFilter: "drag over bars: filter blocks",
  overview: "overview",
  networkRoundTrip: (uncertainty: string): string =>
    `Network round trip is exact; its one-way split is ${uncertainty}`,

  // Distribution words
  noValue: "no value",
  without: (missing: string): string => `, ${missing} without`,
  atOrBelowPart: (edge: string, id: string, share: string, otherShare: string): string =>
    `${edge}: ${id}, ${share}, ${otherShare} at or below`,
  hasHumpsNearAnd: (
    distributionStageName: string,
    humpCount: number,
    places: string,
    place: string | undefined,
  ): string => `${distributionStageName} has ${humpCount} humps: near ${places} and ${place}.`,

  // Figures card
  secondRange: (count: string): string => `second range, ${count}`,
  logWritesByClass: "Log writes by class",
  secondRangePart: "second range",
  shapes: "Shapes",
  twoHumpsAreTwo:
    "Two humps are two states: such a stage is slow at times, not always. The picture over time shows when.",
  noStageHasTwo: "No stage has two humps: each gathers around one duration.",
  humpsAreLooked: "AG Lens looks for humps on the logarithmic scale.",
  barsHeight:
    "A bar's height is the square root of its share, so that a single outlier stays visible. Edges of bins belong to the bin above them.",

  // Heat card
  overTime: (name: string): string => `${name} over time`,
  deeperMoreBlocksSquare: "deeper: more blocks (square root); line: median; drag: range in view",
  overTimeValuesFigures: (name: string, counts: string): string =>
    `${name} over time: ${counts} values; figures are in the table`,

  // Histogram row
  longer: (over: string): string => `${over} longer`,
  expectedUnder: (limitUs: string): string => `expected under ${limitUs}`,
  atOrBelow: "100 % at or below",

  // Size card
  ofUnknownSize: (unknown: string): string => `; ${unknown} of unknown size`,
  byBlockSize: (name: string): string => `${name} by block size`,
  lineMedian: (unknown: string): string => `line: median${unknown}`,
  sizesOfTheseBlocks: "The sizes of these blocks aren't known.",
  byBlockSizeFigures: (name: string): string => `${name} by block size; figures are in the table`,
  writesByBlockSize: "Writes by block size",

  // Stage plot
  duration: (name: string): string => `${name}: duration`,
  nothingOfThisStage: "nothing of this stage lies in the range",
  noValueBothEnds: (missing: string): string =>
    `no value: both ends of this stage are not known for the ${missing} in the range`,

  // Stage rows
  stages: "Stages",
  key: (index: number): string => `Key: ${index}`,
  dragOverBars: "Drag over bars, or press Enter on one, to see only these blocks.",
  filledTheRange:
    "Filled: the range in view. Outlined: the second range. Both as shares of their own blocks.",
} as const;
