import type { JSX } from 'react'

import type { ToolRunOutcome } from '../../../../src-shared/domain/agents/tool-run'
import { Banner } from '../../../ui/layout/banner'
import { counted } from '../../../ui/text/format'
import { visibleText, writtenOut } from '../../../ui/text/visible-text'

type Checked = Extract<ToolRunOutcome, { kind: 'result' }>['checked']

/** Most problems that are listed. */
const MOST = 20

/** What the output schema of a tool has against a result; nothing where there is no schema, or all fits. */
export function ResultChecked({ checked }: { readonly checked: Checked }): JSX.Element | null {
  if (checked === undefined) return null
  const { problems, isChecked, why } = checked
  if (!isChecked)
    return (
      <Banner severity="warn" title="Not checked against the output schema.">
        {why !== undefined && visibleText(why)}
      </Banner>
    )
  if (problems.length === 0) return <p className="soft small">Matches the tool’s output schema.</p>
  return (
    <Banner severity="warn" title="Doesn’t match the tool’s output schema.">
      <ul className="stack gap-1 above-1 break" aria-label="Output schema problems">
        {problems.slice(0, MOST).map(({ path, message }, index) => (
          <li key={index}>
            <code>{path === '' ? 'the whole' : writtenOut(path)}</code> {visibleText(message)}
          </li>
        ))}
      </ul>
      {problems.length > MOST && `${counted(problems.length - MOST, 'more problem')}.`}
    </Banner>
  )
}
