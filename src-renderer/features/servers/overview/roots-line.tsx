import type { JSX } from 'react'
import { useState } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { Button } from '../../../ui/controls/button'
import { WarnText } from '../../../ui/fields/warn-text'
import { visibleText } from '../../../ui/text/visible-text'
import { RootsDialog } from './roots-dialog'

/** The folders that a server is told when it asks for roots, and the way to change them. */
export function RootsLine({ server }: { readonly server: ServerView }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  const { name, roots, asked } = server
  return (
    <div className="facts stack at-base faint">
      <span id="roots-label">Folders</span>
      <div className="stack at-start gap-1 slim">
        {roots.length > 0 && (
          <ul className="stack gap-1 ink" aria-labelledby="roots-label">
            {roots.map((root) => (
              <li key={root}>
                <code>{visibleText(root)}</code>
              </li>
            ))}
          </ul>
        )}
        <Button size="small" aria-describedby="roots-label" onClick={() => setIsOpen(true)}>
          {roots.length > 0 ? 'Change folders' : 'Choose folders'}
        </Button>
        <WarnText>
          {asked.roots && roots.length === 0
            ? `${name} asked for folders, but none are shared.`
            : undefined}
        </WarnText>
        <p className="above-1 soft small">
          Shared as MCP roots. This isn’t a sandbox: the server can access anything you can.
        </p>
      </div>
      {isOpen && <RootsDialog server={server} onClose={() => setIsOpen(false)} />}
    </div>
  )
}
