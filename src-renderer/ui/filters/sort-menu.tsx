import { ArrowDownUp } from 'lucide-react'
import type { JSX } from 'react'

import { Button } from '../controls/button'
import { Menu, MenuChoices } from '../controls/menu'

/** The order of a list: says which it is, and opens the others. */
export function SortMenu<Sort extends string>({
  sort,
  sorts,
  onSort,
}: {
  readonly sort: Sort
  readonly sorts: readonly { readonly value: Sort; readonly label: string }[]
  readonly onSort: (sort: Sort) => void
}): JSX.Element {
  const label = sorts.find(({ value }) => value === sort)?.label ?? sort
  return (
    <Menu
      label="Sort by"
      trigger={
        <Button variant="quiet" size="small" icon={ArrowDownUp} aria-label={`Sorted by: ${label}`}>
          <span className="hide-narrow">{label}</span>
        </Button>
      }
    >
      <MenuChoices value={sort} choices={sorts} onChange={onSort} />
    </Menu>
  )
}
