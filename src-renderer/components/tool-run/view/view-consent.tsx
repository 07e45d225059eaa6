import type { JSX } from 'react'

import type { ViewInfo } from '../../../../src-shared/domain/installation/view'
import { Button } from '../../../ui/controls/button'
import { visibleText } from '../../../ui/text/visible-text'

const list = new Intl.ListFormat('en-US')

function loadsFrom({ domains }: ViewInfo): string {
  const sources = [...domains.resource, ...domains.connect, ...domains.frame]
  const hosts = [...new Set(sources.map((one) => one.replace(/^https:\/\//u, '')))]
  return hosts.length > 0
    ? `It can load from ${list.format(hosts)} and call this server’s tools.`
    : 'It loads nothing from the internet and can call this server’s tools.'
}

/** Says what a view loads before anything of it is drawn. */
export function ViewConsent({
  info,
  onShow,
}: {
  readonly info: ViewInfo
  readonly onShow: (remembers: boolean) => void
}): JSX.Element {
  return (
    <section className="box stack gap-2 pad-3" aria-label="Show the view?">
      <p className="break pretty">
        {`This server can show an interactive view. ${visibleText(loadsFrom(info))}`}
      </p>
      {info.ignored.length > 0 && (
        <p className="soft break pretty">
          {`Ignored because they aren’t https or wss addresses of other computers: ${visibleText(info.ignored.join(', '))}`}
        </p>
      )}
      <div className="row wrap gap-2">
        <Button variant="primary" size="form" onClick={() => onShow(false)}>
          Show view
        </Button>
        <Button size="form" onClick={() => onShow(true)}>
          Always for this server
        </Button>
      </div>
    </section>
  )
}
