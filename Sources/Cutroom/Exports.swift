// Whoever imports Cutroom works with the values of these modules: they come along.
@_exported public import CutroomMetadata
@_exported public import CutroomModel
