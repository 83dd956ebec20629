import { defineTexts } from '../../../kit/text/define.ts';

export const channelStatisticTexts = defineTexts({
  'menu.channelStatistics': {
    en_US: 'Channel statistics',
    zh_CN: '渠道统计',
    ko: '채널 통계',
    pt_BR: 'Estatísticas de canais',
  },
  'channelStatistic.devices': { en_US: 'Devices', zh_CN: '设备', ko: '장치', pt_BR: 'Dispositivos' },
  'channelStatistic.online': { en_US: 'Online', zh_CN: '在线', ko: '온라인', pt_BR: 'Online' },
  'channelStatistic.offline': { en_US: 'Offline', zh_CN: '离线', ko: '오프라인', pt_BR: 'Offline' },
  'channelStatistic.abnormal': { en_US: 'Abnormal', zh_CN: '异常', ko: '비정상', pt_BR: 'Anormal' },
  'channelStatistic.notConfigured': {
    en_US: 'Not configured',
    zh_CN: '未配置',
    ko: '미구성',
    pt_BR: 'Não configurado',
  },
  'channelStatistic.below': { en_US: 'Below it', zh_CN: '其下级', ko: '하위 장치', pt_BR: 'Abaixo dele' },
  'channelStatistic.belowAbnormal': {
    en_US: 'Abnormal below',
    zh_CN: '下级异常',
    ko: '하위 비정상',
    pt_BR: 'Anormal abaixo',
  },
  'channelStatistic.belowOffline': {
    en_US: 'Offline below',
    zh_CN: '下级离线',
    ko: '하위 오프라인',
    pt_BR: 'Offline abaixo',
  },
  'channelStatistic.search': {
    en_US: 'Company name',
    zh_CN: '公司名称',
    ko: '회사 이름',
    pt_BR: 'Nome da empresa',
  },
  'channelStatistic.none': {
    en_US: 'No channels yet',
    zh_CN: '还没有渠道',
    ko: '채널 없음',
    pt_BR: 'Nenhum canal ainda',
  },
  'channelStatistic.noneText': {
    en_US: 'For each sub-channel you see here how many devices it has and in which state they are, not the devices.',
    zh_CN: '此处显示每个下级渠道有多少设备及其状态，不显示设备本身。',
    ko: '각 하위 채널의 장치 수와 상태를 여기에서 봅니다. 장치 자체는 표시되지 않습니다.',
    pt_BR: 'Aqui você vê quantos dispositivos cada subcanal tem e em que estado estão, mas não os dispositivos.',
  },
  'channelStatistic.noMatch': {
    en_US: 'No channel matches the search.',
    zh_CN: '没有符合搜索的渠道。',
    ko: '검색과 일치하는 채널이 없습니다.',
    pt_BR: 'Nenhum canal corresponde à busca.',
  },
  'channelStatistic.listFailed': {
    en_US: 'The statistics could not be loaded.',
    zh_CN: '无法加载统计。',
    ko: '통계를 불러올 수 없습니다.',
    pt_BR: 'Não foi possível carregar as estatísticas.',
  },
});
