/** Proposes passphrases that are easy to tell on the phone. */
const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";
const WORDS = 4;
const SYLLABLES = 2;

/** @returns a whole number from 0 to below `most`, each as likely */
export type Draw = (most: number) => number;

/** Four words of two syllables: 70^8 of them, some 49 bits. */
export function proposedPassphrase(draw: Draw = drawSecurely): string {
  const letter = (of: string): string => of.charAt(draw(of.length));
  const word = (): string =>
    Array.from({ length: SYLLABLES }, () => letter(CONSONANTS) + letter(VOWELS)).join("");
  return Array.from({ length: WORDS }, word).join("-");
}

const BYTE = 256;

/** Bytes that would make small numbers more likely are drawn again. */
function drawSecurely(most: number): number {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  return byte < BYTE - (BYTE % most) ? byte % most : drawSecurely(most);
}
