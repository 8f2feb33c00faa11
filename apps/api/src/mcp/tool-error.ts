/** A call of a tool has no answer; the message has the reason and the next step. */
export class ToolError extends Error {}
