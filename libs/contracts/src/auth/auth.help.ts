import type { ErrorEntry } from '../define/error.ts';
import type { ErrorKey } from '../errors.ts';

/** Cause and cure of each error of accounts, users, roles, links and channels. */
export const authHelp = {
  'auth.accountLocked': [
    'Five failed logins within 15 minutes, told for unknown names too.',
    'Wait 30 minutes, or have an administrator unlock the account.',
  ],
  'auth.notActivated': [
    'The account was made and nobody has activated it.',
    'Use the activation link or the first password; an administrator can send a new one.',
  ],
  'auth.disabled': ['An administrator disabled the user.', 'Ask an administrator to enable it.'],
  'auth.wrongCredentials': [
    'The name or the password is wrong; which of them is not told.',
    'Check both, or ask for a reset link.',
  ],
  'auth.logonFailure': [
    'The refresh token or the step of a login is unknown, over or was used before.',
    'Log in again. A used refresh token ends the whole session: look for a second client with the same one.',
  ],
  'auth.clientInvalid': [
    '`Authorization: Basic` of the token call is missing or not that of a known client.',
    "Send the client's id and secret as the installation names them.",
  ],
  'auth.grantUnsupported': [
    '`grant_type` is neither `captcha` nor `refresh_token`, or `scope` is wider than `all`.',
    'Use one of the two.',
  ],
  'auth.captchaRequired': [
    'Failures before this one, or the captcha mode, ask for a verification code.',
    'Get a picture or the computing task, and send key and code with the login.',
  ],
  'auth.captchaWrong': ['The code does not fit its picture, or the picture was used or is too old.', 'Get a new one.'],
  'auth.channelNotActive': [
    'The channel that the user belongs to is not active yet.',
    'Have the superior channel activate it.',
  ],
  'auth.channelLocked': ['The channel that the user belongs to is locked.', 'Ask the superior channel.'],
  'auth.channelDeactivated': ['The channel that the user belongs to was deactivated.', 'Ask the superior channel.'],
  'auth.apiClosed': ['The company has not opted into the API.', 'Open it under API developer first.'],
  'auth.apiExpiry': ['The end of the token is past, or too far away.', 'Choose an end within the days that are named.'],
  'auth.lockPasswordWrong': [
    'The lock password is not the one that locked this session.',
    'Try again; after the fifth the session ends, and a login leads back in.',
  ],
  'auth.lockPasswordEmpty': ['Locking and unlocking need a lock password.', 'Enter one.'],
  'auth.passwordChangeRequired': [
    'The login was made with a password that works once.',
    'Choose an own password first.',
  ],
  'auth.passwordCommon': [
    'What is left of the password without common words, years, sequences and rows of keys is too little.',
    'Take several words that do not belong together, or let a password manager make one.',
  ],
  'auth.passwordUnlike': [
    'A name of the account, also with digits for letters, stands in the password.',
    'Choose one that does not follow from who it is for.',
  ],
  'auth.passwordRule': [
    'The password lacks one of: 8 characters, upper and lower case letters, a digit, a special symbol. An MD5 fits never: new passwords are sent in clear over the encrypted connection.',
    'Choose one that has all of them.',
  ],
  'auth.passwordsDiffer': ['Password and confirmation are not the same.', 'Enter both again.'],
  'auth.passwordSame': ['The new password is the one there was.', 'Choose another.'],
  'auth.oldPasswordWrong': [
    'The current password that was given is not right.',
    'Enter the one that you log in with; failures count as failed logins do.',
  ],
  'auth.twoStepRequired': [
    'The password is right and the company asks for a second step.',
    'Send the code with the key that this answer holds.',
  ],
  'auth.twoStepImpossible': [
    'The company asks for a second step, and the account has no way to give one.',
    'An administrator adds an email address.',
  ],
  'auth.codeRequired': ['The second step was sent without its code.', 'Enter the code.'],
  'auth.codeWrong': [
    'The code of the second step is not right.',
    'Enter the newest code; check the clock of an authenticator app.',
  ],
  'auth.codeExpired': ['The code is wrong, was used, or its time is over.', 'Get a new one.'],
  'auth.passkeyWrong': [
    'The answer of the passkey does not fit this login or account.',
    'Try again with the passkey of this account.',
  ],
  'auth.emailMissing': [
    'A code should go out by email, and the account has no address.',
    'Add one under personal info.',
  ],
  'user.nameTaken': ['Someone on this installation has this login name, in whatever case.', 'Choose another.'],
  'user.restoreTaken': [
    'Since the deletion someone else got the login name or the email.',
    'Give the other account another one, and try again within five minutes of the deletion.',
  ],
  'user.emailTaken': ['Someone on this installation has this address.', 'Use another address.'],
  'user.emailSame': ['The new address is the one there is.', 'Enter another one.'],
  'user.emailInvalid': ['The text is no email address.', 'Enter one of the form name@domain.'],
  'user.emailByLink': [
    'The call would change the email of the caller, which needs the password and a link to the new address.',
    'Ask for the change under personal information, or have another administrator do it.',
  ],
  'user.emailMissing': ['Activation by mail was chosen without an address.', 'Enter one, or activate by password.'],
  'user.nameFormat': [
    'The login name has a character that it may not have.',
    'Leave out spaces, @, quotes and angle brackets.',
  ],
  'user.nameHidden': [
    'A control character, a mark of direction or a character of no width stands in the name.',
    'Type the name instead of pasting it.',
  ],
  'user.nameMixed': [
    'Letters of two scripts that can be taken for each other stand in one name.',
    'Write the name in one script.',
  ],
  'user.passwordMissing': [
    'Activation by password was chosen without a first password.',
    'Enter one, or activate by mail.',
  ],
  'user.missing': ['The user was deleted, or the caller may not see them.', 'Load the list again.'],
  'user.beyondOwnRights': [
    'The role or account holds a right that the caller lacks.',
    'Ask someone who has that right.',
  ],
  'user.beyondOwnOrganizations': ["One of the organizations is not among the caller's own.", 'Choose among your own.'],
  'user.otherOrganizations': [
    "The user, or one of the users, is also in an organization that is not among the caller's own.",
    'Ask someone who sees all organizations of the user.',
  ],
  'user.organizationMissing': ['The user would be in no organization.', 'Choose one or all.'],
  'user.notYourself': [
    'It would take the caller’s own account or the permission that they use.',
    'Ask another administrator.',
  ],
  'user.lastAdministrator': [
    'No other active user of the company sees every organization and has all rights to manage users and roles.',
    'Give another active user all organizations and the role of an administrator. An operator can restore one: `./carillon restore-administrator <name>`.',
  ],
  'user.notInactive': ['The account was activated already.', 'Use a password reset instead.'],
  'user.imageWrong': [
    'The picture is no JPG or PNG, whatever its name says, or is over 100 KB.',
    'Choose another picture or make it smaller.',
  ],
  'role.nameTaken': ['The company has a role of this name.', 'Choose another name.'],
  'role.inUse': ['Users have the role.', 'Give them another one first.'],
  'menu.builtIn': ['The entry belongs to the product.', 'Hide it instead.'],
  'menu.hasChildren': ['Other entries lie below it.', 'Move or delete them first.'],
  'menu.parentLoop': ['The chosen parent lies below the entry itself.', 'Choose another parent.'],
  'menu.pathFormat': [
    'The page is neither an http or https address nor a path of this site with html in it.',
    'Enter one of the two, or none for a group.',
  ],
  'menu.selfHidden': [
    'Nobody could get the menu administration back.',
    'Leave it in the menu for everyone who has its right.',
  ],
  'link.activationInvalid': [
    'The link was used, replaced by a newer one, or is older than 3 days.',
    'Have an administrator send a new one.',
  ],
  'link.resetInvalid': [
    'The link was used, replaced by a newer one, or is older than 3 days.',
    'Ask for a new one at the login.',
  ],
  'link.emailInvalid': [
    'The link was used, replaced by a newer one, or is older than 3 days.',
    'Begin the change of address again.',
  ],
  'link.resendExpired': ['The time in which the mail can be sent again is over.', 'Begin again.'],
  'link.pageExpired': ['The page was open too long for what it asks.', 'Begin again.'],
  'channel.companyRegistered': ['The company has an account already.', 'Log in with it, or bind it as a sub-channel.'],
  'channel.companyMissing': ['The code belongs to no company any more.', 'Get a new code.'],
  'channel.duplicateLogin': ['Email or login name belong to another account.', 'Choose others.'],
  'channel.duplicateAccount': ['The account was made before.', 'Look for it in the list.'],
  'channel.alreadySub': ['The channel is below yours already.', 'Nothing is left to do.'],
  'channel.ownParent': [
    'A channel was given as its own superior, directly or through another.',
    'Choose another superior.',
  ],
  'channel.superiorAddressEmpty': ["The superior's address was left out.", 'Choose one of the address tree.'],
  'user.tooYoung': [
    '`oldEnough` was false: who adds the account says that its person is under 13.',
    'Add accounts for people of at least 13 years only.',
  ],
} satisfies Partial<Record<ErrorKey, NonNullable<ErrorEntry['help']>>>;
