import { ClipboardPaste, PencilLine, Plus } from 'lucide-react'
import type { ReactElement } from 'react'
import { useLocation } from 'wouter'

import { Button } from '../../ui/button'
import { Menu, MenuAction } from '../../ui/menu'

/** The ways to a server that no catalog lists. */
export function AddMenu({ onPaste }: { readonly onPaste: () => void }): ReactElement {
  const [, navigate] = useLocation()
  return (
    <Menu label="Add your own" trigger={<Button icon={Plus}>Add your own</Button>}>
      <MenuAction icon={ClipboardPaste} onSelect={onPaste}>
        Paste configuration
      </MenuAction>
      <MenuAction icon={PencilLine} onSelect={() => navigate('/by-hand')}>
        Write it by hand
      </MenuAction>
    </Menu>
  )
}
