# SPDX-License-Identifier: Apache-2.0
# Three-state features: ON and missing is an error, AUTO and missing is a line in the feature summary, OFF is silent.

foreach(feature GUI SIMGRID CUDA NCCL GLOO MPI)
  set(TRAINWRIGHT_WITH_${feature} AUTO CACHE STRING "Build the ${feature} part: AUTO, ON or OFF")
  set_property(CACHE TRAINWRIGHT_WITH_${feature} PROPERTY STRINGS AUTO ON OFF)
  if(NOT TRAINWRIGHT_WITH_${feature} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR
      "TRAINWRIGHT_WITH_${feature} is '${TRAINWRIGHT_WITH_${feature}}'; allowed: AUTO, ON, OFF")
  endif()
endforeach()

option(TRAINWRIGHT_BUILD_TESTING "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(TRAINWRIGHT_WARNINGS_AS_ERRORS "Treat warnings as errors (our presets do)" OFF)
set(TRAINWRIGHT_SANITIZE "" CACHE STRING "Sanitizers, comma separated: address,undefined or thread")
# Code for A100 (80) and H100/H200 (90), and of 90 also the intermediate form that newer cards compile when they first run
# it. Each more costs about three seconds of build: "75-real;80-real;86-real;89-real;90-real;100-real;120" has all.
set(TRAINWRIGHT_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "CUDA architectures, always explicit")

set_property(GLOBAL PROPERTY TRAINWRIGHT_FEATURE_LINES "")

# trainwright_feature(GUI found reason): sets TRAINWRIGHT_HAVE_GUI from the option and what was found.
function(trainwright_feature name found reason)
  if(TRAINWRIGHT_WITH_${name} STREQUAL "OFF")
    set(have FALSE)
    set(line "off (TRAINWRIGHT_WITH_${name}=OFF)")
  elseif(found)
    set(have TRUE)
    set(line "on")
  elseif(TRAINWRIGHT_WITH_${name} STREQUAL "ON")
    message(FATAL_ERROR "TRAINWRIGHT_WITH_${name}=ON, but ${reason}")
  else()
    set(have FALSE)
    set(line "off (AUTO: ${reason})")
  endif()
  set(TRAINWRIGHT_HAVE_${name} ${have} PARENT_SCOPE)
  set_property(GLOBAL APPEND PROPERTY TRAINWRIGHT_FEATURE_LINES "  ${name}: ${line}")
endfunction()

function(trainwright_print_features)
  get_property(lines GLOBAL PROPERTY TRAINWRIGHT_FEATURE_LINES)
  list(JOIN lines "\n" text)
  message(STATUS "Trainwright ${PROJECT_VERSION} features:\n${text}")
endfunction()
