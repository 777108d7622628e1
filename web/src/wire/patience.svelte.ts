/** Whether an answer of the server is overdue: two seconds after anything was asked, the page says so. */
const LIMIT = 2000 // milliseconds

class Patience {
  #overdue = $state(0)

  get slow(): boolean {
    return this.#overdue > 0
  }

  /** A request began. Call the returned function when it is answered or abandoned. */
  begin(): () => void {
    let late = false
    const timer = setTimeout(() => {
      late = true
      this.#overdue += 1
    }, LIMIT)
    return () => {
      clearTimeout(timer)
      if (late) this.#overdue -= 1
      late = false
    }
  }
}

export const patience = new Patience()
