import { ArrowLeft, ArrowRight, Search } from 'lucide-react'
import type { JSX } from 'react'

import { showOverlay } from '../stores/palette-store'
import { IconButton } from '../ui/controls/icon-button'
import { ariaKeys, capsFor, isMacKeyboard } from '../ui/marks/shortcuts'
import { RailTip } from './rail-tip'
import { useHistorySteps } from './use-history-steps'

/** Back and forward through the pages that were open. */
export function Steps(): JSX.Element {
  const { canGoBack, canGoForward } = useHistorySteps()
  return (
    <div className="hide-narrow flex faint to-end">
      <IconButton
        small
        icon={ArrowLeft}
        label="Back"
        aria-disabled={!canGoBack}
        onClick={() => canGoBack && window.history.back()}
      />
      <IconButton
        small
        icon={ArrowRight}
        label="Forward"
        aria-disabled={!canGoForward}
        onClick={() => canGoForward && window.history.forward()}
      />
    </div>
  )
}

/** Opens the command palette. */
export function Jump(): JSX.Element {
  const isMac = isMacKeyboard()
  return (
    <RailTip name="Search or run a command">
      <button
        type="button"
        className="jump bare whole row gap-2 fixed faint"
        aria-label="Search or run a command"
        aria-keyshortcuts={ariaKeys('palette', isMac)}
        onClick={() => showOverlay('palette')}
      >
        <Search className="icon icon-s" aria-hidden />
        <span className="grow hide-narrow">Search or run</span>
        {/* Drawn by the style sheet: what is read aloud is the name alone. */}
        <span className="inline-row gap-1 hide-narrow" aria-hidden>
          {capsFor('palette', isMac).map((key) => (
            <kbd key={key} className="kbd inline-row soft" data-drawn={key} />
          ))}
        </span>
      </button>
    </RailTip>
  )
}
