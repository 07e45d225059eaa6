import type { ReactElement } from 'react'

import { Checkbox } from '../../ui/controls/choice'
import { counted, formatList } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import type { Connecting } from './use-connecting'

type Duplicates = NonNullable<Connecting['duplicates']>

/** Returns what connecting does with the app's duplicate entries, as part of a sentence: "turns off 2 servers". */
export function duplicatesText({ names, way }: Duplicates): string {
  return `${way === 'turnOff' ? 'turns off' : 'removes'} ${counted(names.length, 'server')}`
}

/** The checkbox that turns off duplicate entries of the app, with how to turn them on again. */
export function DuplicatesChoice(props: {
  readonly duplicates: Duplicates
  readonly appName: string
  readonly onChoose: Connecting['turnDuplicatesOff']
}): ReactElement {
  const { duplicates, appName, onChoose } = props
  const { names, way, isIncluded, isLossy } = duplicates
  const verb = way === 'turnOff' ? 'Turn off' : 'Remove'
  return (
    <div className="grid gap-1">
      <Checkbox
        className="flex min-w-0 items-center gap-2"
        checked={isIncluded}
        onCheckedChange={onChoose}
      >
        <span>{`${verb} the ${counted(names.length, 'server')} that Patchbay now provides`}</span>
      </Checkbox>
      <p className="text-small text-faint">
        {visibleText(`${formatList(names)}. `)}
        {isLossy
          ? 'Without a keychain they can’t come back once Patchbay quits.'
          : `They come back when you disconnect ${appName}.`}
      </p>
    </div>
  )
}
