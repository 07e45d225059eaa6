import { AppWindow, ClipboardPaste, PackageOpen, PencilLine, Plus } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

import { PASTED_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import { Button } from '../../ui/controls/button'
import { Menu, MenuAction } from '../../ui/controls/menu'
import { changeList, setCatalogView } from './filters/catalog-view-store'
import { NO_CHOICES } from './filters/filter-choices'
import { PasteDialog } from './paste/paste-dialog'

/** The ways to a server that no catalog lists; the address `?paste` opens the dialog that takes a text. */
export function AddMenu(): ReactElement {
  const [, navigate] = useLocation()
  const search = useSearch()
  const [pasting, setPasting] = useState(() => new URLSearchParams(search).has('paste'))
  return (
    <>
      <Menu label="Add your own" trigger={<Button icon={Plus}>Add your own</Button>}>
        <MenuAction icon={AppWindow} onSelect={() => navigate('/import')}>
          From your apps
        </MenuAction>
        <MenuAction icon={ClipboardPaste} onSelect={() => setPasting(true)}>
          Paste configuration
        </MenuAction>
        <MenuAction icon={PencilLine} onSelect={() => navigate('/by-hand')}>
          Enter manually
        </MenuAction>
        <MenuAction icon={PackageOpen} onSelect={() => navigate('/bundle')}>
          Open bundle
        </MenuAction>
      </Menu>
      {pasting && (
        <PasteDialog
          onClose={() => setPasting(false)}
          onRead={({ server: { name } }) => {
            changeList({ query: '', choices: NO_CHOICES, sort: 'relevance' })
            setCatalogView({ selected: { sourceId: PASTED_SOURCE, name } })
          }}
        />
      )}
    </>
  )
}
