/** Name of the dialog that the frame of every signed-in page opens (`?dialog=`). */
export const CHANGE_PASSWORD = 'change-password'
