import { readNodes } from '../reading/json-nodes'
import { prettyText } from '../reading/json-text'
import { borrowThread } from '../reading/json-thread'
import { partsOf, type TextSource } from './text-source'

/** A short text of JSON over lines, everything in it as it was written; one that is none as it is. */
export function indented(text: string): string {
  const nodes = readNodes(text)
  return typeof nodes === 'string' ? text : prettyText(nodes, 0, Infinity)
}

/** The same for a text of any length, on the thread; undefined where it is longer than `most` UTF-16 units. */
export async function indentedText(source: TextSource, most: number): Promise<string | undefined> {
  const { remote, giveBack } = borrowThread(() => {
    // What is asked of the thread rejects then.
  })
  // Another one than that of the same text on the page.
  const key = `indented ${crypto.randomUUID()}`
  try {
    for await (const { text } of partsOf(source, most + 1)) await remote.add(key, text)
    const { length } = await remote.finish(key)
    return length > most ? undefined : await remote.textOf(key, '', Infinity)
  } finally {
    remote.drop(key).then(giveBack, giveBack)
  }
}
