/** How many accounts there are, and what all of them generated this month. */
export type UserStats = {
  total: number
  admins: number
  editors: number
  users: number
  active: number
  totalVideos: number
}
