import { Ellipsis } from 'lucide-react'
import { Fragment, type JSX, useState } from 'react'
import { useLocation } from 'wouter'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { IconButton } from '../../ui/controls/button'
import { Menu, MenuAction, MenuLine } from '../../ui/controls/menu'
import { actionsOf } from './actions'
import { RemoveDialog } from './remove-dialog'

/** All that can be done with a server; `withRun` adds start, stop and restart where no buttons stand for them. */
export function ServerMenu(props: {
  readonly server: ServerView
  readonly label: string
  readonly withRun?: boolean
  readonly onRemoved?: () => void
}): JSX.Element {
  const { server, label, withRun = false, onRemoved } = props
  const [, navigate] = useLocation()
  const [isRemoving, setIsRemoving] = useState(false)
  const actions = actionsOf(server).filter(({ group }) => withRun || group !== 'run')
  const place = { navigate, onRemove: () => setIsRemoving(true) }
  return (
    <>
      <Menu label={label} trigger={<IconButton label={label} icon={Ellipsis} />}>
        {actions.map((action, index) => (
          <Fragment key={action.id}>
            {index > 0 && action.group !== actions[index - 1]?.group && <MenuLine />}
            <MenuAction
              icon={action.icon}
              hint={action.hint}
              danger={action.id === 'remove'}
              disabled={action.isBusy === true}
              onSelect={() => action.run(place)}
            >
              {action.label}
            </MenuAction>
          </Fragment>
        ))}
      </Menu>
      {isRemoving && (
        <RemoveDialog
          servers={[server]}
          onClose={() => setIsRemoving(false)}
          onRemoved={onRemoved}
        />
      )}
    </>
  )
}
