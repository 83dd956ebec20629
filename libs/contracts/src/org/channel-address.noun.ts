import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/** A location of channels. */
export const channelAddress = defineNoun({
  name: 'channelAddress',
  title: 'Channel addresses',
  where: {
    does: 'Channel addresses: the tree that channel accounts are placed in, deleted and taken back',
    folders: ['apps/org/src/channel-address', 'apps/console/src/area/channel/channel-address'],
  },
  example: { name: 'Example', parentId: null, description: '' },
  rights: ['add', 'edit', 'delete'],
  menu: { langKey: 'menu.channelAddresses', path: '/channel/address', icon: 'world', in: 'channels' },
});

export const channelAddressErrors = defineErrors('channelAddress', {
  cycle: {
    status: 409,
    en_US: 'An address can’t be below itself or below one of its own addresses.',
    zh_CN: '地址不能位于自身或其下级地址之中。',
    ko: '주소는 자신이나 하위 주소 안에 있을 수 없습니다.',
    pt_BR: 'Um endereço não pode ficar abaixo de si mesmo nem de um endereço abaixo dele.',
    help: ['The parent that was named is the address itself or lies below it.', 'Choose a parent outside of it.'],
  },
  nameTaken: {
    status: 409,
    en_US: 'An address with this name already exists here.',
    zh_CN: '此位置已存在同名地址。',
    ko: '이 위치에 같은 이름의 주소가 있습니다.',
    pt_BR: 'Já existe um endereço com este nome aqui.',
    help: ['An address with the same parent has this name.', 'Choose another name or another parent.'],
  },
  notEmpty: {
    status: 409,
    en_US: 'This address has {count} {count|address|addresses} below it. Move or delete {count|it|them} first.',
    zh_CN: '此地址下有 {count} 个地址。请先移动或删除。',
    ko: '이 주소에는 하위 주소 {count}개가 있습니다. 먼저 옮기거나 삭제하세요.',
    pt_BR:
      'Este endereço tem {count} {count|endereço|endereços} abaixo dele. {count|Mova-o ou exclua-o|Mova-os ou exclua-os} primeiro.',
    help: ['Other addresses lie directly below it.', 'Move or delete those first.'],
  },
  used: {
    status: 409,
    en_US: '{count} {count|channel is|channels are} at this address. Give {count|it|them} another one first.',
    zh_CN: '有 {count} 个渠道使用此地址。请先为其选择其他地址。',
    ko: '채널 {count}개가 이 주소를 사용합니다. 먼저 다른 주소를 지정하세요.',
    pt_BR: '{count} {count|canal está|canais estão} neste endereço. Escolha outro endereço primeiro.',
    help: ['Channel accounts are at this address.', 'Choose another address for them first.'],
  },
});
