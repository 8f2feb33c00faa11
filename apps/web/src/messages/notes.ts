/** Texts of notes. */
export const notesTexts = {
  // Note dialog
  newNote: "New note",
  note: "Note",
  text: "Text",
  ofCharactersLeftEveryone: (mostNote: number, otherMostNote: number): string =>
    `${mostNote} of ${otherMostNote} characters left. Everyone who can open the capture, or a link to it, can read the note.`,
  yourName: "Your name",
  unnamed: "Unnamed",
  cancel: "Cancel",
  saveNote: "Save note",

  // Note list
  notes: "Notes",
  writtenBy: (note: string, author: string, written: string): string =>
    `${note}, written by ${author}, ${written}`,
  changeTheNote: (text: string): string => `Change the note: ${text}`,
  change: "Change",
  deleteTheNote: (text: string): string => `Delete the note: ${text}`,
  deleteCanBeUndone: "Delete; can be undone for 10 s",
  noteDeleted: "Note deleted",
  noteDeletedUndo: (text: string): string => `Note deleted: ${text}. Undo`,
  undo: "Undo",

  // Note row
  writtenByPart: (text: string, note: string, author: string, written: string): string =>
    `${text}\n${note}, written by ${author}, ${written}`,
  more: (more: number): string => `+ ${more} more`,

  // Placed note
  onARange: (to: string): string => `on a range, ${to}`,
  onBlock: (split: string): string => `on block …${split}`,
} as const;
