/** A JSON object whose members are not known. */
export type Bag = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value can stand where a schema is expected (JSON Schema 2020-12, 4.3: an object or a boolean). */
export function isSchema(value: unknown): value is Bag | boolean {
  return typeof value === 'boolean' || isBag(value)
}

/** A member that an object has itself; never one of every object, such as `toString`. */
export function own(bag: Bag, key: string): unknown {
  return Object.hasOwn(bag, key) ? bag[key] : undefined
}

/** The texts of a list; nothing of what is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Sets a member as an own one, whatever its name is. */
export function put(bag: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(bag, key, { value, writable: true, enumerable: true, configurable: true })
}
