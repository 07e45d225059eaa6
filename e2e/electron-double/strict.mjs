/** An object whose missing members throw by name, so that no test passes on a silent no-op. */
export function strict(name, known) {
  return new Proxy(known, {
    get(target, key) {
      if (key in target || typeof key === 'symbol' || key === 'then') return target[key]
      throw new Error(`electron double: ${name}.${key} is not modelled`)
    },
  })
}

/** An event object with `preventDefault`, as Electron's emitters pass it. */
export function cancellable(details = {}) {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true
    },
  }
  return event
}
