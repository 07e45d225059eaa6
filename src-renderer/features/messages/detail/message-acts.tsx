import { Braces, Copy, Download } from 'lucide-react'
import type { JSX } from 'react'

import type { MessageEntry } from '../../../../src-shared/domain/agents/message-log'
import { AppError } from '../../../../src-shared/domain/app-error'
import { indentedText } from '../../../components/json/text/indented-text'
import { saveSource } from '../../../components/json/text/save-source'
import { loggedMessageText, readWhole } from '../../../components/json/text/text-source'
import { tellFailure } from '../../../ipc/tell-failure'
import { IconButton } from '../../../ui/controls/icon-button'
import { copyText } from '../../../ui/saving/copy-text'

/** Between the members of a message; within a string they are escaped. */
const LINE_ENDS = /[\n\r]+/gu
/** Longer messages are not copied, in UTF-16 units; over lines they may become longer. */
const MOST_COPIED = 4 * 1024 * 1024

/** The whole text of a message, or of what is made of it; rejects where it is too long to be copied. */
async function copied(reading: Promise<string | undefined>): Promise<string> {
  const text = await reading
  if (text !== undefined) return text
  throw new AppError('INVALID_REQUEST', 'This message is too large to copy.', {
    hint: 'Save it to a file instead.',
  })
}

/** A message as it is sent over pipes: servers may have written it over several lines. */
export function asLine(text: string): string {
  return text.replace(LINE_ENDS, ' ')
}

/** Copies or saves the text of a message. */
export function MessageActs({
  installationId,
  entry,
  what,
}: {
  readonly installationId: string
  readonly entry: MessageEntry
  /** What the message is: `request`. */
  readonly what: string
}): JSX.Element {
  const { seq, bytes, hasText } = entry
  const source = loggedMessageText({ installationId, seq }, bytes)
  const copy = async (read: () => Promise<string | undefined>, said: string): Promise<void> => {
    try {
      copyText(await copied(read()), said)
    } catch (thrown) {
      tellFailure(thrown)
    }
  }
  // One more tells whether there is more.
  const oneLine = async (): Promise<string | undefined> => {
    const text = await readWhole(source, MOST_COPIED + 1)
    return text.length > MOST_COPIED ? undefined : asLine(text)
  }
  const acts = [
    {
      icon: Copy,
      label: `Copy ${what}`,
      act: () => void copy(() => indentedText(source, MOST_COPIED), `Copied the ${what}.`),
    },
    {
      icon: Braces,
      label: `Copy ${what} as JSON-RPC line`,
      act: () => void copy(oneLine, `Copied the ${what} as one line.`),
    },
    {
      icon: Download,
      label: `Save ${what} to file`,
      act: () => saveSource(what, 'json', source),
    },
  ]
  return (
    <>
      {acts.map(({ icon, label, act }) => (
        <IconButton key={label} small icon={icon} label={label} disabled={!hasText} onClick={act} />
      ))}
    </>
  )
}
