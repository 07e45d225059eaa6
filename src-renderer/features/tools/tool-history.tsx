import type { JSX } from 'react'

import type { ToolChange } from '../../../src-shared/domain/agents/tools'
import { useRequest } from '../../ipc/use-request'
import { useNow } from '../../stores/now'
import { SheetPart } from '../../ui/layout/sheet-part'
import { formatMoment } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'

const WORDS: Readonly<Record<ToolChange['kind'], string>> = {
  added: 'Added',
  changed: 'Changed',
  removed: 'Removed',
  approved: 'Approved',
  refused: 'Rejected',
}

/** What became of one tool, newest first; nothing where nothing is known. */
export function ToolHistory({
  installationId,
  name,
  hash,
}: {
  readonly installationId: string
  readonly name: string
  readonly hash: string
}): JSX.Element | null {
  const now = useNow(60_000)
  const { loaded } = useRequest('tools.history', { installationId }, { state: [hash] })
  if (loaded.kind !== 'ready') return null
  const own = loaded.value.filter((change) => change.name === name)
  if (own.length === 0) return null
  return (
    <SheetPart title="History">
      <ul className="divided roomy">
        {own.map(({ at, kind, packageVersion }, index) => (
          <li key={index} className="flex gap-2">
            <span>{WORDS[kind]}</span>
            {packageVersion !== undefined && (
              <span className="faint">{`version ${visibleText(packageVersion)}`}</span>
            )}
            <time className="to-end faint">{formatMoment(at, now)}</time>
          </li>
        ))}
      </ul>
    </SheetPart>
  )
}
