import { CaseSensitive, ChevronDown, ChevronUp, Regex } from 'lucide-react'
import type { JSX } from 'react'

import { IconButton } from '../../ui/controls/icon-button'
import { SearchField } from '../../ui/controls/search-field'
import { formatCount } from '../../ui/text/format'
import type { LogControls } from './use-log-controls'
import type { LogFinding } from './use-log-find'

/** How many lines were found, and which of them is shown. */
function metaOf({ found }: LogFinding): string | undefined {
  if (!found) return 'searching'
  const { count, isDone, current, problem } = found
  if (problem !== undefined) return 'stopped'
  if (count === 0) return isDone ? 'none' : 'searching'
  if (!isDone) return `${formatCount(count)} so far`
  return current ? `${formatCount(current.before + 1)} of ${formatCount(count)}` : undefined
}

/** Searches the lines, and steps through those that are found. */
export function LogSearchField({
  controls: { search, setSearch },
  finding,
}: {
  readonly controls: LogControls
  readonly finding: LogFinding
}): JSX.Element {
  const hasNone = (finding.found?.count ?? 0) === 0
  return (
    <>
      <SearchField
        label="Search log"
        placeholder="Search log"
        value={search.text}
        onChange={(text) => setSearch({ text })}
        onEnter={(backwards) => finding.step(backwards ? 'previous' : 'next')}
        meta={search.text === '' ? undefined : metaOf(finding)}
      />
      <IconButton
        small
        icon={CaseSensitive}
        label="Match case"
        aria-pressed={search.isCaseSensitive}
        onClick={() => setSearch({ isCaseSensitive: !search.isCaseSensitive })}
      />
      <IconButton
        small
        icon={Regex}
        label="Regular expression"
        aria-pressed={search.isRegex}
        onClick={() => setSearch({ isRegex: !search.isRegex })}
      />
      <IconButton
        small
        icon={ChevronUp}
        label="Previous match"
        disabled={hasNone}
        onClick={() => finding.step('previous')}
      />
      <IconButton
        small
        icon={ChevronDown}
        label="Next match"
        disabled={hasNone}
        onClick={() => finding.step('next')}
      />
    </>
  )
}
