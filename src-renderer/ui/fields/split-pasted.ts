import { isJson, splitSeveral } from '../../../src-shared/form/split-several'

/** The entries of a pasted list, split at commas and line ends, trimmed, empty ones left out; JSON is one entry. */
export function splitPasted(text: string): string[] {
  return isJson(text) ? [text] : text.split(/[\r\n]+/).flatMap(splitSeveral)
}
