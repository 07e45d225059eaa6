import './palette.css'

import type { JSX } from 'react'

import { useSingleKeys } from '../../stores/app-store'
import { showOverlay, usePalette } from '../../stores/palette-store'
import { KeyCap } from '../../ui/marks/key-cap'
import { capsOf, isMacKeyboard, isSingleKey, SHORTCUTS } from '../../ui/marks/shortcuts'
import { Dialog } from '../../ui/overlays/dialog'

const GROUPS = ['Anywhere', 'Go to', 'On a server’s page'] as const

/** The dialog of all keyboard shortcuts. */
export function CheatSheet(): JSX.Element {
  const isOpen = usePalette(({ overlay }) => overlay === 'shortcuts')
  const isMac = isMacKeyboard()
  const hasSingleKeys = useSingleKeys()
  const shown = SHORTCUTS.filter((shortcut) => hasSingleKeys || !isSingleKey(shortcut))
  return (
    <Dialog
      open={isOpen}
      onClose={() => showOverlay('none')}
      title="Keyboard shortcuts"
      comesUnasked
      wide
    >
      <div className="shortcut-groups mt-3">
        {GROUPS.filter((group) => shown.some((shortcut) => shortcut.group === group)).map(
          (group) => (
            <section key={group} aria-label={group}>
              <h3 className="mb-1 text-title font-medium text-muted">{group}</h3>
              <dl className="grid grid-cols-[1fr_auto] items-center gap-4 gap-y-2">
                {shown
                  .filter((shortcut) => shortcut.group === group)
                  .map(({ id, title, press }) => (
                    <div key={id} className="fact">
                      <dt>{title}</dt>
                      <dd className="ms-auto">
                        <KeyCap keys={capsOf(press, isMac)} />
                      </dd>
                    </div>
                  ))}
              </dl>
            </section>
          ),
        )}
      </div>
      {!hasSingleKeys && (
        <p className="text-small text-pretty text-muted">
          Single-key shortcuts are turned off in Settings, under Advanced.
        </p>
      )}
    </Dialog>
  )
}
